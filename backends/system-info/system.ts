import { release, type } from 'node:os';

/** What may be told about the machine: no user, no host name, no environment, no file. */
export interface SystemFacts {
  /** Name and release, such as `Linux 6.8.0`. */
  readonly operatingSystem: string;
  /** Such as `Node.js 20.19.0`. */
  readonly runtime: string;
  /** Node's names of system and processor, such as `linux x64`. */
  readonly platform: string;
  readonly workingDirectory: string;
}

/** Throws `ENOENT` when the working directory has been removed. */
export function readSystemFacts(): SystemFacts {
  return {
    operatingSystem: `${type()} ${release()}`,
    runtime: `Node.js ${process.versions.node}`,
    platform: `${process.platform} ${process.arch}`,
    workingDirectory: process.cwd(),
  };
}
