import { SCENARIOS } from './scenarios.mjs';
import { median } from './statistics.mjs';

/** @typedef {import('./rounds.mjs').Measurement} Measurement */
/** @typedef {import('./scenarios.mjs').Figure} Figure */
/** @typedef {import('./sides.mjs').SideName} SideName */

const HEADINGS = ['', 'stdio', 'plain relay', 'gateway', 'gateway ÷ relay', 'must', 'aim', ''];

/**
 * The table: per figure and side the median and, in brackets, least and most; then the median of the ratios
 * that the gateway had to the plain relay in each round.
 * @param {readonly Measurement[]} measurements
 * @param {readonly string[]} scenarios
 */
export function table(measurements, scenarios) {
  const rows = scenarios.flatMap((scenario) =>
    SCENARIOS[scenario].figures.map((figure) =>
      row(
        measurements.filter((m) => m.scenario === scenario),
        figure,
      ),
    ),
  );
  return align([HEADINGS, ...rows]);
}

/**
 * @param {readonly Measurement[]} measurements
 * @param {Figure} figure
 */
function row(measurements, figure) {
  const { label, key, better, must, aim } = figure;
  /** @param {SideName} side */
  const byRound = (side) =>
    new Map(
      measurements.flatMap((m) =>
        m.side === side && m.figures?.[key] !== undefined ? [[m.round, m.figures[key]]] : [],
      ),
    );
  const relay = byRound('relay');
  const gateway = byRound('gateway');
  const ratios = [...gateway].flatMap(([round, value]) => {
    const beside = relay.get(round);
    return beside === undefined ? [] : [value / beside];
  });
  const sign = better === 'higher' ? '≥' : '≤';
  const bound = (/** @type {number | undefined} */ value) => (value === undefined ? '' : `${sign} ${value}`);
  return [
    label,
    spread([...byRound('stdio').values()]),
    spread([...relay.values()]),
    spread([...gateway.values()]),
    spread(ratios),
    bound(must),
    bound(aim),
    mark(ratios, figure),
  ];
}

/**
 * @param {readonly number[]} ratios
 * @param {Figure} figure
 */
function mark(ratios, { better, must, aim }) {
  if (ratios.length === 0 || must === undefined || aim === undefined) return '';
  const ratio = median(ratios);
  const keeps = (/** @type {number} */ bound) => (better === 'higher' ? ratio >= bound : ratio <= bound);
  if (keeps(aim)) return 'aim';
  return keeps(must) ? 'ok' : 'BELOW';
}

/** @param {readonly number[]} values */
function spread(values) {
  if (values.length === 0) return '–';
  return `${short(median(values))} [${short(Math.min(...values))} – ${short(Math.max(...values))}]`;
}

/** Three digits are more than such a measurement is worth. @param {number} value */
function short(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toPrecision(value < 0.1 ? 2 : 3);
}

/** @param {readonly (readonly string[])[]} rows */
function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  const lines = rows.map(
    (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
