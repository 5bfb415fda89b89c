/**
 * Counts in words.
 */

/** `1 invoice`, `2 invoices`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${n === 1 ? one : many}`
