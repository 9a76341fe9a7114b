/** Every finite double is a whole multiple of 2⁻¹⁰⁷⁴, the smallest one. [IEEE 754 binary64] */
const smallestExponent = -1074;

/** Bits kept before the final rounding: more than the 53 of a double, with room for a sticky bit. */
const keptBits = 64;

/**
 * The sum of finite numbers, rounded once, at the end, so that it does not drift and does not depend on
 * their order: ten times 0.1 is 1, and 1e308 + 1e308 − 1e308 is 1e308. Infinite when the true sum is too
 * large for a double.
 */
export function exactSum(numbers: Iterable<number>): number {
  let multiples = 0n;
  for (const number of numbers) multiples += inMultiples(number);
  return multiples < 0n ? -fromMultiples(-multiples) : fromMultiples(multiples);
}

const bits = new DataView(new ArrayBuffer(8));

/** `number` counted in multiples of the smallest double. */
function inMultiples(number: number): bigint {
  bits.setFloat64(0, number);
  const high = bits.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (high & 0xfffff) * 2 ** 32 + bits.getUint32(4);
  // A normal number has a hidden leading bit; a subnormal one (exponent 0) counts as if its exponent were 1.
  const magnitude = exponent === 0 ? BigInt(fraction) : BigInt(fraction + 2 ** 52) << BigInt(exponent - 1);
  return number < 0 ? -magnitude : magnitude;
}

/** The double nearest to a count of multiples, ties to even; `Number` does the one rounding. */
function fromMultiples(multiples: bigint): number {
  const surplusBits = Math.max(0, multiples.toString(2).length - keptBits);
  const shift = BigInt(surplusBits);
  const kept = multiples >> shift;
  // What is shifted out only has to be told from nothing: it decides whether a tie is one.
  const sticky = kept << shift === multiples ? 0n : 1n;
  return Number(kept | sticky) * 2 ** (surplusBits + smallestExponent);
}
