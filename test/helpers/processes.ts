import { readdirSync, readFileSync } from 'node:fs';

/** One running or dead process as `/proc` shows it. */
export interface ProcessRecord {
  readonly pid: number;
  readonly parent: number;
  /** `Z` for a zombie, `T` for a stopped one. [proc(5), /proc/pid/stat] */
  readonly state: string;
  readonly command: string;
}

/** All processes whose environment holds `marker`, so that descendants are found behind any wrapper. */
export function processesWithMarker(marker: string): ProcessRecord[] {
  return allPids().flatMap((pid) => {
    if (!readOrEmpty(`/proc/${pid}/environ`).includes(marker)) return [];
    const record = readProcess(pid);
    return record === undefined || record.state === 'Z' ? [] : [record];
  });
}

/** The children of `parent`, zombies included. */
export function childrenOf(parent: number): ProcessRecord[] {
  return allPids().flatMap((pid) => {
    const record = readProcess(pid);
    return record?.parent === parent ? [record] : [];
  });
}

/** The resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readOrEmpty(`/proc/${pid}/status`));
  return Number(match?.[1] ?? 0) * 1024;
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function readProcess(pid: number): ProcessRecord | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The command's name stands in parentheses and may hold anything, so the fields count from the last one.
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || parent === undefined) return undefined;
  const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return { pid, parent: Number(parent), state, command };
}

/** A process may end between being seen and being read. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
