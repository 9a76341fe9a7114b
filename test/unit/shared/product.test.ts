import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { product } from '../../../src/shared/product.js';

describe('what the gateway calls itself', () => {
  it('is what package.json says', () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(product).toEqual({ name, version });
  });
});
