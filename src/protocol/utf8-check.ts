import { isUtf8 } from 'node:buffer';

const noBytes = Buffer.alloc(0);

/** Checks bytes that arrive in pieces for valid UTF-8, also where a piece ends inside a character. */
export class Utf8Check {
  /** The beginning of a character whose rest has not come yet: at most three bytes. */
  #partial = noBytes;
  #valid = true;

  push(piece: Buffer): void {
    if (!this.#valid) return;
    let rest = piece;
    if (this.#partial.length > 0) {
      const missing = characterLength(this.#partial[0] ?? 0) - this.#partial.length;
      const joined = Buffer.concat([this.#partial, piece.subarray(0, missing)]);
      if (piece.length < missing) {
        this.#partial = joined;
        return;
      }
      this.#valid = isUtf8(joined);
      this.#partial = noBytes;
      rest = piece.subarray(missing);
    }
    const whole = rest.length - partialLength(rest);
    this.#valid &&= isUtf8(rest.subarray(0, whole));
    this.#partial = Buffer.from(rest.subarray(whole));
  }

  /** @returns whether everything since the last `end` was valid and ended with a whole character. */
  end(): boolean {
    const valid = this.#valid && this.#partial.length === 0;
    this.#valid = true;
    this.#partial = noBytes;
    return valid;
  }
}

/** How many bytes at the end of `bytes` begin a character that is longer. */
function partialLength(bytes: Buffer): number {
  const most = Math.min(3, bytes.length);
  for (let back = 1; back <= most; back++) {
    const code = bytes[bytes.length - back] ?? 0;
    if (code < 0x80) return 0;
    if (code >= 0xc0) return characterLength(code) > back ? back : 0;
  }
  return 0;
}

/** The length that a character's first byte announces; 1 for a byte that begins none. [RFC 3629 § 3] */
function characterLength(lead: number): number {
  if (lead >= 0xf8 || lead < 0xc0) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
