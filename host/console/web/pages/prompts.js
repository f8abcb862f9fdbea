// The prompts of an agent: their arguments, with completion, and the messages that they make.
import { block } from '../lib/answer.js';
import { list, read } from '../lib/caller.js';
import { intro, offer, reader } from '../lib/offer.js';
import { empty, fill, h } from '../lib/ui.js';

const messages = ({ messages: all }) => h('section.card.stack', { 'aria-label': 'Messages' },
  all.map(({ role, content }) => h('div', h('h2.minor', role), [content].flat().map(block))));

export const show = (view) => offer(view, 'prompts', {
  list: (agent) => list(agent, 'prompts/list', 'prompts'),
  entry: ({ name, title = '', description = '' }) => ({ name, words: `${title} ${description}`, title: description }),
  none: (any) => empty(any ? 'No prompt has this word.' : 'No prompts.', any ? '' : 'No plugin offers this agent one.'),
  show(right, agent, all) {
    const [name] = view.parts;
    const prompt = all.find((one) => one.name === name);
    if (!prompt) return fill(right, name ? intro(`There is no prompt ${name}.`, 'It may have gone with its plugin.') : intro('Prompts', 'Texts that a person starts a conversation with. Choose one, and see what a model would get.'));
    return reader(right, agent, view.query, { ...prompt, action: 'Get', names: prompt.arguments ?? [], ref: { type: 'ref/prompt', name },
      ask: (args) => read(agent, 'prompts/get', { name, arguments: args }), draw: messages });
  },
});
