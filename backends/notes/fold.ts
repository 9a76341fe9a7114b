/** A text as it is compared: without case and without accents, so that `Reunión` and `REUNION` are one. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
