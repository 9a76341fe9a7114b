import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/catalog/cursors.js';

describe('decodeCursor', () => {
  it('gives back the place that was encoded', () => {
    expect(decodeCursor('tools', encodeCursor('tools', 20))).toBe(20);
  });

  it('refuses the cursor of another kind of list', () => {
    expect(decodeCursor('prompts', encodeCursor('tools', 20))).toBeUndefined();
  });

  it.each([
    '',
    'nonsense',
    'p2',
    '20',
    `${encodeCursor('tools', 20)}=`,
    ` ${encodeCursor('tools', 20)}`,
    Buffer.from('tools 20.0').toString('base64url'),
    Buffer.from('tools 2e1').toString('base64url'),
    Buffer.from('tools').toString('base64url'),
    Buffer.from('tools NaNx').toString('base64url'),
  ])('refuses %j, which is none of ours', (cursor) => {
    expect(decodeCursor('tools', cursor)).toBeUndefined();
  });
});
