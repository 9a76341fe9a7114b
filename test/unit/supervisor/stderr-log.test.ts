import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { StderrLog } from '../../../src/supervisor/stderr-log.js';
import { createFakeClock } from '../../helpers/fake-clock.js';

function setUp() {
  const clock = createFakeClock();
  const records: { msg: string; line?: string; dropped?: number; lengthBytes?: number }[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (text) => records.push(JSON.parse(text)) });
  return { clock, records, stderr: new StderrLog(log, clock) };
}

describe('the log of stderr', () => {
  it('has one record per line, across chunks, with control characters escaped', () => {
    const { records, stderr } = setUp();
    stderr.push(Buffer.from('one\ntw'));
    stderr.push(Buffer.from('o\u001b[0m\n'));
    expect(records.map(({ line }) => line)).toEqual(['one', 'two\\x1b[0m']);
  });

  it('writes a last line that has no end when the process is gone', () => {
    const { records, stderr } = setUp();
    stderr.push(Buffer.from('panic'));
    expect(records).toHaveLength(0);
    stderr.end();
    expect(records.map(({ line }) => line)).toEqual(['panic']);
  });

  it('writes 100 lines per second and tells how many it left out', () => {
    const { clock, records, stderr } = setUp();
    stderr.push(Buffer.from('x\n'.repeat(350)));
    expect(records).toHaveLength(100);
    clock.advance(1_000);
    stderr.push(Buffer.from('after\n'));
    expect(records.slice(100).map(({ dropped, line }) => dropped ?? line)).toEqual([250, 'after']);
  });

  it('shortens a line over 8 KiB and tells its length', () => {
    const { records, stderr } = setUp();
    stderr.push(Buffer.from(`${'x'.repeat(100_000)}\n`));
    expect(records[0]?.lengthBytes).toBe(100_000);
    expect(records[0]?.line?.length).toBeLessThanOrEqual(8 * 1024);
  });
});
