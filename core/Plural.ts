/**
 * Counts in words.
 */

/** `1 invoice`, `2 invoices`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${n === 1 ? one : many}`

/** `1 item needs attention`, `3 items need attention`. */
export const attentionCount = (count: number): string =>
  `${plural(count, "item")} ${count === 1 ? "needs" : "need"} attention`
