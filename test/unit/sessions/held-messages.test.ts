import { describe, expect, it } from 'vitest';
import { HeldMessages } from '../../../src/sessions/held-messages.js';
import type { ToClient } from '../../../src/shared/ids.js';

function message(...texts: string[]): ToClient {
  return texts.map((text) => Buffer.from(text)) as readonly Buffer[] as ToClient;
}

function takeAll(held: HeldMessages): string[] {
  const texts: string[] = [];
  for (let next = held.take(); next !== undefined; next = held.take()) {
    texts.push(Buffer.concat(next).toString());
  }
  return texts;
}

describe('HeldMessages', () => {
  it('gives messages back in their order and counts their bytes', () => {
    const held = new HeldMessages();
    held.add(message('one', '!'));
    held.add(message('two'));
    expect(held.bytes).toBe(7);
    expect(takeAll(held)).toEqual(['one!', 'two']);
    expect([held.bytes, held.isEmpty]).toEqual([0, true]);
  });

  it('keeps of progress only the newest per token, before the answer that follows it', () => {
    const held = new HeldMessages();
    held.addProgress(message('a 1'), 'a');
    held.addProgress(message('b 1'), 'b');
    held.addProgress(message('a 2 of 10'), 'a');
    held.add(message('answer of a'));
    held.addProgress(message('b 2'), 'b');
    expect(held.bytes).toBe('a 2 of 10'.length + 'b 2'.length + 'answer of a'.length);
    expect(takeAll(held)).toEqual(['a 2 of 10', 'b 2', 'answer of a']);
  });

  it('starts anew for a token whose progress was taken', () => {
    const held = new HeldMessages();
    held.addProgress(message('a 1'), 'a');
    held.take();
    held.addProgress(message('a 2'), 'a');
    expect(takeAll(held)).toEqual(['a 2']);
  });

  it('is empty after clear and usable again', () => {
    const held = new HeldMessages();
    held.addProgress(message('a 1'), 'a');
    held.clear();
    expect([held.bytes, held.isEmpty, held.take()]).toEqual([0, true, undefined]);
    held.addProgress(message('a 2'), 'a');
    expect(takeAll(held)).toEqual(['a 2']);
  });
});
