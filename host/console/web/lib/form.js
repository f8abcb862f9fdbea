// A form of a JSON Schema over one JSON text. The text is the truth: a control reads the value at its path and
// changes only that. What has no control of its own (anyOf, free objects) is a JSON field in place.
import { button, fill, h, newId } from './dom.js';
import { isNumberText, removeAt, setAt, textAt } from './json.js';

const typesOf = (schema) => [schema.type ?? []].flat();

function resolve(schema, root) {
  let at = schema ?? {};
  for (let depth = 0; at.$ref?.startsWith('#/') && depth < 8; ++depth) {
    const { $ref, ...rest } = at;
    const found = $ref.slice(2).split('/').reduce((node, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], root);
    at = { ...found, ...rest };
  }
  return at;
}

/** Which control a schema gets. */
function kindOf(schema) {
  if (schema.const !== undefined || schema.oneOf?.every((option) => option.const !== undefined)) return 'choice';
  if (schema.enum) return schema.enum.every((value) => typeof value !== 'object' || value === null) ? 'choice' : 'json';
  if (schema.anyOf || schema.oneOf || schema.allOf) return 'json';
  const [type, other] = typesOf(schema).filter((one) => one !== 'null');
  if (!type || other) return 'json';
  if (type === 'array') return schema.items && kindOf(schema.items) !== 'array' ? 'array' : 'json';
  if (type !== 'object') return type === 'boolean' ? 'choice' : type;
  const names = Object.keys(schema.properties ?? {});
  return names.length && names.every((name) => /^[A-Za-z_]\w*$/.test(name)) ? 'object' : 'json';
}

/** What a choice offers: [value, text]. */
function choices(schema) {
  const values = schema.const !== undefined ? [[schema.const]] : schema.oneOf?.map((option) => [option.const, option.title])
    ?? schema.enum?.map((value, index) => [value, schema.enumNames?.[index]]) ?? [[true], [false]];
  return typesOf(schema).includes('null') && !values.some(([value]) => value === null) ? [...values, [null]] : values;
}

/** What an empty control shows: its default, which is not sent. */
function placeholderOf(schema) {
  if (schema.default !== undefined) return JSON.stringify(schema.default);
  return schema.examples?.length ? `e.g. ${JSON.stringify(schema.examples[0])}` : '';
}

export class Form {
  #root;
  #read;
  #write;
  #complete;
  #controls = new Map();
  #note = h('p.field-error', { role: 'alert', hidden: true });

  /** read() gives the JSON text, write(text) takes it; complete(name, value) may give words for a text field, later. */
  constructor(schema, { read, write, complete }) {
    this.#root = schema;
    this.#read = () => read().trim() || '{}';
    this.#write = write;
    this.#complete = complete;
    const fields = this.#fields(schema, []);
    this.node = h('.stack', this.#note, h('.form', fields, fields.length ? null : h('p.muted', 'It takes no arguments.')));
    this.refresh();
  }

  #fields({ properties = {}, required = [] }, path) {
    return Object.entries(properties).map(([name, inner]) => this.#field(name, inner, [...path, name], required.includes(name)));
  }

  /** Shows the values of the text. */
  refresh() {
    const valid = this.#at([]) !== undefined;
    this.#note.hidden = valid;
    fill(this.#note, valid ? '' : 'The JSON text is not valid yet; the form waits for it.');
    if (valid) [...this.#controls.values()].forEach(({ show }) => show());
  }

  /** Marks the field that an error of the server names. */
  showError(message) {
    this.clearError();
    const path = /^[/.]?([^\s:]+):/.exec(message)?.[1].replace(/\[(\d+)\]/g, '.$1').replaceAll('/', '.');
    const [, one, , two] = /['"“]?(\w+)['"”]? is (required|missing)|(?:required|missing).*?['"](\w+)['"]/.exec(message) ?? [];
    const entry = this.#controls.get(path) ?? this.#controls.get(one ?? two);
    if (!entry) return;
    entry.control.setAttribute('aria-invalid', 'true');
    fill(entry.error, message);
    entry.control.focus();
  }

  clearError() {
    this.#controls.forEach(({ control, error }) => {
      control.removeAttribute('aria-invalid');
      fill(error);
    });
  }

  #at(path) {
    try {
      return textAt(this.#read(), path);
    } catch {
      return undefined;
    }
  }

  #put(path, text) {
    try {
      this.#write(text === undefined ? removeAt(this.#read(), path) : setAt(this.#read(), path, text));
      this.clearError();
    } catch {
      this.refresh();
    }
  }

  #field(name, unresolved, path, required) {
    const schema = resolve(unresolved, this.#root);
    const kind = kindOf(schema.items ? { ...schema, items: resolve(schema.items, this.#root) } : schema);
    const label = [schema.title ?? name, required ? h('span.must', { title: 'Required', 'aria-hidden': 'true' }, ' *') : null];
    if (kind === 'object') return this.#object(label, schema, path);
    if (kind === 'array') return this.#array(label, schema, path);
    const error = h('span.field-error');
    const hint = schema.description ? h('small', { id: newId('hint') }, schema.description) : null;
    const { control, show } = kind === 'choice' ? this.#choice(schema, path)
      : kind === 'json' ? this.#json(schema, path) : this.#line(kind, schema, path);
    control.id = newId('arg');
    if (hint) control.setAttribute('aria-describedby', hint.id);
    if (required) control.setAttribute('aria-required', 'true');
    this.#controls.set(path.join('.'), { control, error, show });
    return h('div', { class: kind === 'json' ? 'field wide' : 'field' },
      name === undefined ? null : h('label', { for: control.id }, label), control, hint, error);
  }

  #choice(schema, path) {
    const usual = placeholderOf(schema);
    const control = h('select', { onchange: () => this.#put(path, control.value || undefined) }, h('option', { value: '' }, usual ? `– (${usual})` : '–'),
      choices(schema).map(([value, text = value]) => h('option', { value: JSON.stringify(value) }, String(text))));
    return { control, show: () => { control.value = this.#at(path) ?? ''; } };
  }

  #line(kind, schema, path) {
    const text = kind === 'string';
    const long = text && (schema.maxLength > 200 || schema.format === 'textarea');
    const type = text && { date: 'date', uri: 'url', email: 'email' }[schema.format];
    const control = h(long ? 'textarea' : 'input', { placeholder: placeholderOf(schema), spellcheck: false, autocomplete: 'off',
      type: long ? null : type || 'text', inputmode: text ? null : kind === 'integer' ? 'numeric' : 'decimal',
      oninput: () => this.#put(path, this.#lineText(control.value, text, schema)) });
    if (text && this.#complete) this.#suggest(control, path.at(-1));
    const show = () => {
      const raw = this.#at(path) ?? '';
      if (control !== document.activeElement) control.value = raw.startsWith('"') ? JSON.parse(raw) : raw;
    };
    return { control, show };
  }

  #lineText(value, text, schema) {
    if (value === '') return undefined;
    if (value === 'null' && typesOf(schema).includes('null')) return 'null';
    return !text && isNumberText(value.trim()) ? value.trim() : JSON.stringify(value);
  }

  /** Words that fit what was typed, a moment after the last key. */
  #suggest(control, name) {
    const list = h('datalist', { id: newId('list') });
    control.setAttribute('list', list.id);
    queueMicrotask(() => control.after(list));
    let timer;
    const ask = () => {
      clearTimeout(timer);
      timer = setTimeout(async () => fill(list, (await this.#complete(name, control.value)).map((value) => h('option', { value }))), 120);
    };
    control.addEventListener('focus', ask);
    control.addEventListener('input', ask);
  }

  #json(schema, path) {
    const control = h('textarea', { spellcheck: false, rows: 2, placeholder: placeholderOf(schema) || (typesOf(schema).includes('object') ? '{ }' : 'JSON'),
      oninput: () => {
        try {
          const raw = control.value.trim();
          if (raw) JSON.parse(raw);
          this.#put(path, raw || undefined);
        } catch ({ message }) {
          control.setAttribute('aria-invalid', 'true');
          fill(this.#controls.get(path.join('.')).error, `Not JSON yet: ${message}`);
        }
      } });
    return { control, show: () => { if (control !== document.activeElement) control.value = this.#at(path) ?? ''; } };
  }

  #object(label, schema, path) {
    return h('fieldset.form', h('legend', label), schema.description ? h('small.field.wide', schema.description) : null, this.#fields(schema, path));
  }

  /** Items are drawn anew when their number changes. */
  #array(label, schema, path) {
    const list = h('.stack');
    const add = button('Add', () => {
      this.#put([...path, drawn], this.#blank(schema.items));
      show();
      list.querySelector('.item:last-child :is(input, select, textarea)')?.focus();
    }, { class: 'small' });
    let drawn = 0;
    const show = () => {
      const count = this.#count(path);
      if (count !== drawn) this.#drawItems(list, schema, path, count, show);
      drawn = count;
    };
    const error = h('span.field-error');
    this.#controls.set(path.join('.'), { control: add, error, show });
    return h('fieldset', h('legend', label), list, h('.row', add, schema.description ? h('small', schema.description) : null), error);
  }

  #drawItems(list, schema, path, count, show) {
    const inside = () => [...this.#controls].filter(([key]) => key.startsWith(`${path.join('.')}.`));
    inside().forEach(([key]) => this.#controls.delete(key));
    fill(list, Array.from({ length: count }, (_, index) => h('.row.item',
      this.#item(schema.items, [...path, index], index), button('Remove', () => {
        this.#put([...path, index], undefined);
        if (!this.#count(path)) this.#put(path, undefined);
        show();
        this.refresh();
      }, { class: 'small', 'aria-label': `Remove item ${index + 1}` }))));
    inside().forEach(([, control]) => control.show());
  }

  #item(schema, path, index) {
    const node = this.#field(undefined, schema, path, false);
    this.#controls.get(path.join('.'))?.control.setAttribute('aria-label', `${path.at(-2)} ${index + 1}`);
    return node;
  }

  #count(path) {
    return Object.keys(JSON.parse(this.#at(path) ?? '[]')).length;
  }

  #blank(unresolved) {
    const schema = resolve(unresolved, this.#root);
    const kind = kindOf(schema);
    return { object: '{}', number: '0', integer: '0', json: '{}', choice: JSON.stringify(choices(schema)[0]?.[0]) }[kind] ?? '""';
  }
}
