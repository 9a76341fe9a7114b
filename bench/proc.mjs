import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux counts `utime` and `stime` in ticks of a hundredth of a second wherever Node runs. */
const US_PER_TICK = 10_000;

/**
 * Processor time of a process and all its threads so far, in microseconds. The scheduler's own account is in
 * nanoseconds; where the kernel keeps none, the coarse clock ticks of `stat` stand in.
 * @param {number} pid
 */
export function cpuUs(pid) {
  let ns = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    ns += threadNs(pid, thread);
  }
  return ns > 0 ? ns / 1000 : cpuTicks(pid) * US_PER_TICK;
}

/**
 * @param {number} pid
 * @param {string} thread
 */
function threadNs(pid, thread) {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch (error) {
    // A thread may end between being listed and being read.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/** @param {number} pid */
function cpuTicks(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in brackets and may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/**
 * Resident memory now, in MiB.
 * @param {number} pid
 */
export function residentMiB(pid) {
  return statusMiB(pid, 'VmRSS');
}

/**
 * The most resident memory since the start or since `forgetPeak`, in MiB.
 * @param {number} pid
 */
export function peakMiB(pid) {
  return statusMiB(pid, 'VmHWM');
}

/**
 * Starts the peak anew from what is resident now: starting up may have peaked higher than what is measured.
 * @param {number} pid
 */
export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/**
 * @param {number} pid
 * @param {string} field
 */
function statusMiB(pid, field) {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error(`/proc/${pid}/status has no ${field}`);
  return Number(line[1]) / 1024;
}

/** How many files this process, and what it starts, may have open. */
export function openFilesLimit() {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}
