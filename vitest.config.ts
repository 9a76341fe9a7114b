import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most of the time is waiting for processes: one more file than cores at a time uses it.
    maxWorkers: 3,
    // Bounds what hangs, not what is slow: the whole may run on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
