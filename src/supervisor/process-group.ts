import { spawn } from 'node:child_process';

/**
 * Sends a signal to a process and everything it started that stayed in its group, so that no server hides
 * behind `sh -c` or `npx`. A group that is already empty is no error. Windows has neither groups nor
 * signals: there the tree is ended, whatever the signal.
 *
 * @param leader pid of the group's leader, which need not live any more
 */
export function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') endTreeOnWindows(leader);
  else send(-leader, signal);
}

function endTreeOnWindows(leader: number): void {
  const taskkill = spawn('taskkill', ['/pid', String(leader), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  // Without taskkill the process itself can still be ended.
  taskkill.on('error', () => send(leader, 'SIGKILL'));
}

/** `target` is a pid, or the negative of a group's. */
function send(target: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    // EPERM is how some systems report a group that holds nothing but zombies.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
