import { describe, expect, it } from 'vitest';
import { gone, nodeProgram, patientStop, programPath, quickStop, StartedProcess } from './started-process.js';

describe('the stop ladder', () => {
  it('needs only the end of stdin for a server that watches it', async () => {
    await using started = new StartedProcess(nodeProgram('ends-with-stdin', patientStop));
    await started.firstLine();
    await started.running.stop();
    expect(started.exits).toEqual([{ code: 0, signal: null, reason: 'exit code 0', rung: 'end-of-input' }]);
  });

  it('hands over what was written in the same turn before it closes stdin', async () => {
    await using started = new StartedProcess(nodeProgram('ends-with-stdin', patientStop));
    await started.firstLine();
    started.running.write([Buffer.from('last '), Buffer.from('words\n')]);
    await started.running.stop();
    expect(started.stdout).toContain('last words\n');
  });

  it('goes on to SIGTERM for one that does not', async () => {
    await using started = new StartedProcess(
      nodeProgram('ends-on-sigterm', { endOfInputMs: 50, terminateMs: 60_000 }),
    );
    await started.firstLine();
    await started.running.stop();
    expect(started.exits).toEqual([{ code: 0, signal: null, reason: 'exit code 0', rung: 'terminate' }]);
  });

  it('ends with SIGKILL for one that ignores SIGTERM too', async () => {
    await using started = new StartedProcess(nodeProgram('ignores-sigterm'));
    await started.firstLine();
    await started.running.stop();
    expect(started.exits).toEqual([
      { code: null, signal: 'SIGKILL', reason: 'signal SIGKILL', rung: 'kill' },
    ]);
  });

  it('is climbed once, however often it is asked for', async () => {
    await using started = new StartedProcess(nodeProgram('ends-with-stdin'));
    await started.firstLine();
    await Promise.all([started.running.stop(), started.running.stop()]);
    await started.running.stop();
    expect(started.exits).toHaveLength(1);
  });

  it('is cut short by a kill', async () => {
    await using started = new StartedProcess(nodeProgram('ignores-sigterm', patientStop));
    await started.firstLine();
    const stopped = started.running.stop();
    started.running.kill();
    await stopped;
    expect(started.exits[0]?.signal).toBe('SIGKILL');
  });
});

describe('what a process started', () => {
  it.each([
    ['a shell', ['-c', '"$0" "$1"; true']],
    ['two shells', ['-c', 'sh -c \'"$0" "$1"; true\' "$0" "$1"; true']],
  ])('ends with it behind %s', async (_what, args) => {
    await using started = new StartedProcess({
      ...nodeProgram('ignores-sigterm'),
      command: 'sh',
      args: [...args, process.execPath, programPath('ignores-sigterm')],
    });
    const hidden = Number(await started.firstLine());
    expect(hidden).not.toBe(started.running.pid);
    await started.running.stop();
    await gone(hidden);
  });

  it('ends when its leader exits unasked', async () => {
    await using started = new StartedProcess(nodeProgram('leaves-a-child'));
    const child = Number(await started.firstLine());
    expect(await started.exit()).toMatchObject({ code: 5, rung: undefined });
    await gone(child);
  });

  it('does not put off the exit, although it holds the pipes from outside the group', async () => {
    await using started = new StartedProcess(nodeProgram('leaves-a-child-of-another-group'));
    const child = Number(await started.firstLine());
    try {
      expect(await started.exit()).toMatchObject({ code: 5 });
    } finally {
      process.kill(child, 'SIGKILL');
    }
  });
});

describe('an exit', () => {
  it('comes after everything that was written, the last word without a line end included', async () => {
    await using started = new StartedProcess(nodeProgram('exits-in-mid-line'));
    expect(await started.exit()).toEqual({ code: 3, signal: null, reason: 'exit code 3', rung: undefined });
    expect(started.stdout.slice(-10)).toBe('\nlast word');
    expect(started.losses).toEqual([]);
  });

  it('by a signal names it', async () => {
    await using started = new StartedProcess(nodeProgram('ends-with-stdin'));
    process.kill(Number(await started.firstLine()), 'SIGKILL');
    expect(await started.exit()).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'signal SIGKILL' });
  });
});

describe('a process that can no longer be talked to', () => {
  it('is told as lost when it closed its stdout', async () => {
    await using started = new StartedProcess(nodeProgram('closes-stdout'));
    await expect
      .poll(() => started.losses, { timeout: 10_000 })
      .toEqual(['closed its stdout without exiting']);
    expect(started.exits).toEqual([]);
    await started.running.stop();
    expect(started.exits).toMatchObject([{ code: 0, rung: 'end-of-input' }]);
  });

  it('is told as lost when it no longer reads its stdin', async () => {
    await using started = new StartedProcess(nodeProgram('closes-stdin'));
    await started.firstLine();
    started.running.write([Buffer.from('hello\n')]);
    await expect
      .poll(() => started.losses, { timeout: 10_000 })
      .toEqual(['stopped reading its stdin without exiting']);
  });
});

describe('a command that cannot be started', () => {
  it('is told with its name and the PATH that was searched in the hint alone', async () => {
    await using started = new StartedProcess({
      ...nodeProgram('ends-with-stdin'),
      command: 'no-such-binary',
      env: { PATH: '/usr/bin:/opt/bin' },
    });
    expect(await started.exit()).toEqual({
      code: null,
      signal: null,
      reason: 'spawn failed: not found in PATH',
      hint: 'command "no-such-binary", PATH /usr/bin:/opt/bin',
      rung: undefined,
    });
    expect(started.running.pid).toBeUndefined();
    started.running.write([Buffer.from('x')]);
    await started.running.stop();
    expect(started.exits).toHaveLength(1);
  });

  it.each([
    ['a path that is not there', { command: './no-such-file' }, 'no such file', 'command "./no-such-file"'],
    [
      'a missing working directory',
      { cwd: '/no/such/folder' },
      'its working directory does not exist',
      '"/no/such/folder"',
    ],
    ['a folder', { command: '/' }, 'it is not an executable file, or access is not allowed', 'command "/"'],
    ['a name that no system accepts', { command: 'a\0b' }, 'ERR_INVALID_ARG_VALUE', 'command "a\0b"'],
  ])('says what is wrong with %s', async (_what, change, why, hint) => {
    await using started = new StartedProcess({ ...nodeProgram('ends-with-stdin'), ...change });
    expect(await started.exit()).toMatchObject({ reason: `spawn failed: ${why}`, hint });
  });
});

describe('the pipes', () => {
  it('carry all writes of one turn in order, small and large', async () => {
    await using started = new StartedProcess(nodeProgram('ends-with-stdin', quickStop));
    const pid = await started.firstLine();
    const large = 'y'.repeat(200_000);
    for (const text of ['a', large, 'b', 'c']) started.running.write([Buffer.from(text), Buffer.from('\n')]);
    expect(started.running.unwrittenBytes).toBe(200_007);
    await expect.poll(() => started.stdout.length).toBe(`${pid}\n`.length + 200_007);
    expect(started.stdout).toBe(`${pid}\na\n${large}\nb\nc\n`);
    expect(started.running.unwrittenBytes).toBe(0);
  });

  it('drain stderr however much comes, so that the process never blocks on it', async () => {
    await using started = new StartedProcess(nodeProgram('floods-stderr'));
    for (let line = 0; line < 20; line += 1) started.running.write([Buffer.from(`${line}\n`)]);
    await expect.poll(() => started.stdout.split('\n').length, { timeout: 15_000 }).toBe(21);
    expect(started.stderrBytes).toBe(20 * 1024 * 1024);
  });
});
