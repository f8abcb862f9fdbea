// Lines and areas in SVG: at most 4 series of at most 360 points. Colours come from the style sheet. Each chart has its
// numbers as a table, for screen readers and for copying.
import { button, fill, h, svg } from './dom.js';
import { column, numeric, table } from './table.js';
import { clock } from './time.js';

const height = 150;
const edge = { left: 54, right: 8, top: 8, bottom: 20 };
const inner = height - edge.top - edge.bottom;

/** A round number at or above the value: 1, 2 or 5 times a power of ten. */
function ceiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999);
}

const shortNumber = (value) => (value >= 1e6 ? `${+(value / 1e6).toPrecision(3)}M`
  : value >= 1e3 ? `${+(value / 1e3).toPrecision(3)}k` : String(+value.toPrecision(3)));

/** Runs of points without holes: a missing value breaks the line. */
function runs(values, x, y) {
  const all = [[]];
  values.forEach((value, index) => {
    if (value === null) all.push([]);
    else all.at(-1).push(`${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  });
  return all.filter((points) => points.length);
}

export class Chart {
  #series;
  #options;
  #times = [];
  #values = [];
  #plot = svg('g');
  #cursor = svg('line', { class: 'cursor', y1: edge.top, y2: height - edge.bottom, visibility: 'hidden' });
  #range = svg('rect', { class: 'range', y: edge.top, height: inner, visibility: 'hidden' });
  #readout = h('output.chart-readout');
  #table = h('.chart-table', { hidden: true });
  #svg;
  #width = 600;
  #from;

  /** series: {label, area?, colour?}; options: {title, format?, axis?, onRange(from, to)}. */
  constructor(series, options) {
    this.#series = series.map((one, index) => ({ colour: `s${index}`, ...one }));
    this.#options = { format: shortNumber, axis: shortNumber, ...options };
    this.#svg = svg('svg', { role: 'img', 'aria-label': options.title, class: 'chart',
      onpointermove: (event) => this.#hover(this.#indexAt(event)), onpointerleave: () => this.#leave(),
      onpointerdown: (event) => { this.#from = this.#indexAt(event); }, onpointerup: (event) => this.#choose(this.#indexAt(event)),
    }, this.#plot, this.#range, this.#cursor);
    new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect.width)).observe(this.#svg);
    this.node = h('figure', h('figcaption', h('span.strong', options.title), h('span.legend', this.#series.map(({ label, colour }) =>
      h('span', h('span', { class: `swatch ${colour}` }), label))), this.#tableButton()), this.#svg, this.#readout, this.#table);
  }

  /** times: Dates or their text; values: for each series a list as long, with null for none. */
  update(times, values) {
    this.#times = times.map((at) => new Date(at));
    this.#values = values;
    this.#draw();
    this.#say(this.#times.length - 1);
    if (!this.#table.hidden) this.#drawTable();
  }

  #tableButton() {
    return button('Numbers', ({ target }) => {
      this.#table.hidden = !this.#table.hidden;
      target.setAttribute('aria-expanded', String(!this.#table.hidden));
      this.#drawTable();
    }, { class: 'small quiet', 'aria-expanded': 'false', 'aria-label': `Numbers of ${this.#options.title}` });
  }

  #resize(width) {
    this.#width = width || 600;
    this.#svg.setAttribute('viewBox', `0 0 ${this.#width} ${height}`);
    this.#draw();
  }

  #x(index) {
    return edge.left + ((this.#width - edge.left - edge.right) * index) / Math.max(1, this.#times.length - 1);
  }

  #draw() {
    const top = ceiling(Math.max(0, ...this.#values.flat()));
    const last = this.#times.length - 1;
    const y = (value) => edge.top + inner * (1 - value / top);
    const x = (index) => this.#x(index);
    const line = (points) => (points.length === 1 ? `M${points[0]}h.1` : `M${points.join('L')}`);
    fill(this.#plot, [0, 0.5, 1].map((part) => [
      svg('line', { class: 'grid', x1: edge.left, x2: this.#width - edge.right, y1: y(top * part), y2: y(top * part) }),
      svg('text', { x: edge.left - 6, y: y(top * part) + 4, 'text-anchor': 'end' }, this.#options.axis(top * part)),
      last > 0 ? svg('text', { x: x(last * part), y: height - 5, 'text-anchor': ['start', 'middle', 'end'][part * 2] }, clock(this.#times[Math.round(last * part)])) : null,
    ]), this.#values.map((values, index) => runs(values, x, y).map((points) => {
      const { area, colour } = this.#series[index];
      return [area ? svg('path', { class: `area ${colour}`, d: `${line(points)}L${points.at(-1).split(',')[0]},${y(0)}L${points[0].split(',')[0]},${y(0)}Z` }) : null,
        svg('path', { class: `line ${colour}`, d: line(points) })];
    })));
  }

  #indexAt({ clientX }) {
    const part = (clientX - this.#svg.getBoundingClientRect().left - edge.left) / (this.#width - edge.left - edge.right);
    return Math.min(this.#times.length - 1, Math.max(0, Math.round(part * (this.#times.length - 1))));
  }

  #choose(index) {
    const [from, to] = [this.#from, index].sort((a, b) => a - b);
    const chosen = this.#from !== undefined && to > from;
    this.#leave();
    if (chosen) this.#options.onRange(this.#times[from], this.#times[to]);
  }

  #hover(index) {
    if (!this.#times.length) return;
    const mark = (element, values) => Object.entries({ visibility: 'visible', ...values }).forEach((pair) => element.setAttribute(...pair));
    mark(this.#cursor, { x1: this.#x(index), x2: this.#x(index) });
    this.#say(index);
    if (this.#from === undefined) return;
    const [a, b] = [this.#x(this.#from), this.#x(index)].sort((one, other) => one - other);
    mark(this.#range, { x: a, width: b - a });
  }

  #leave() {
    this.#from = undefined;
    [this.#cursor, this.#range].forEach((element) => element.setAttribute('visibility', 'hidden'));
    this.#say(this.#times.length - 1);
  }

  #text(series, index) {
    const value = this.#values[series][index];
    return value === null ? '–' : this.#options.format(value);
  }

  #say(index) {
    fill(this.#readout, index < 0 ? 'No samples yet'
      : [clock(this.#times[index]), ...this.#series.map(({ label }, at) => `${label} ${this.#text(at, index)}`)].join('   '));
  }

  #drawTable() {
    fill(this.#table, table([column('at', 'Time'), ...this.#series.map(({ label }, at) => numeric(String(at), label))],
      this.#times.map((at, index) => ({ at: clock(at), ...this.#series.map((_, series) => this.#text(series, index)) })).reverse(), { key: 'at' }));
  }
}

/** A bar as wide as its share, for a cell. */
export const bar = (share) => svg('svg', { class: 'bar', viewBox: '0 0 100 8', preserveAspectRatio: 'none',
  'aria-hidden': 'true' }, svg('rect', { width: 100 * Math.min(1, Math.max(0, share)), height: 8, rx: 1 }));
