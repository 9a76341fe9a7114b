import { describe, expect, it } from 'vitest';
import { readSystemFacts } from '../../../../backends/system-info/system.js';

describe('readSystemFacts', () => {
  it('names system, runtime, platform and working directory, and nothing else', () => {
    expect(readSystemFacts()).toEqual({
      operatingSystem: expect.stringMatching(/^\w+ \S+/),
      runtime: `Node.js ${process.versions.node}`,
      platform: `${process.platform} ${process.arch}`,
      workingDirectory: process.cwd(),
    });
  });
});
