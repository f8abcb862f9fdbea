// The resources of an agent and their templates, and what is in one of them.
import { block, valueOf } from '../lib/answer.js';
import { list, read } from '../lib/caller.js';
import { intro, offer, reader } from '../lib/offer.js';
import { bytes, code, empty, fill, h, viewer } from '../lib/ui.js';

const content = (one) => {
  const value = one.text === undefined ? undefined : valueOf(one.text);
  return h('section.card.stack', { 'aria-label': 'Content' }, h('.row', code(one.uri), h('span.muted', [one.mimeType,
    bytes(one.text?.length ?? one.blob?.length * 0.75)].filter(Boolean).join(', '))), value === undefined ? block(one) : viewer(value, 'resource.json'));
};

/** The variables of a URI template, {name} or {+name}, and the URI of their values. */
const variable = /\{(\+?)(\w+)\}/g;
const variablesOf = (template) => [...template.matchAll(variable)].map(([, , name]) => ({ name, required: true }));
const expand = (template, values) => template.replace(variable, (_, plus, name) => (plus ? encodeURI : encodeURIComponent)(values[name] ?? ''));

export const show = (view) => offer(view, 'resources', {
  list: async (agent) => (await Promise.all([list(agent, 'resources/list', 'resources'),
    list(agent, 'resources/templates/list', 'resourceTemplates')])).flat(),
  entry: ({ uri, uriTemplate, name, title = name, description = '' }) => ({ name: uri ?? uriTemplate, words: `${title} ${description}`, title: description || title,
    group: uri ? 'Resources' : 'Templates' }),
  none: (any) => empty(any ? 'No resource has this word.' : 'No resources.', any ? '' : 'No plugin offers this agent one.'),
  show(right, agent, all) {
    const [wanted] = view.parts;
    if (!wanted) return fill(right, intro('Resources', 'What clients read and subscribe to by its address. A template asks for the rest of it.'));
    const { uri = wanted, uriTemplate: template = uri, ...found } = all.find((one) => (one.uri ?? one.uriTemplate) === wanted) ?? {};
    return reader(right, agent, view.query, { ...found, name: wanted, action: 'Read', names: variablesOf(template), ref: { type: 'ref/resource', uri: template },
      ask: (args) => read(agent, 'resources/read', { uri: expand(template, args) }), draw: ({ contents }) => h('.stack', contents.map(content)) });
  },
});
