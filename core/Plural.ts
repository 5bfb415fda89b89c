/**
 * Formats counts in words.
 */

/** `12,345`. Hand-written: `toLocaleString` makes Node load its locale data, which takes half as long as starting up. */
export const grouped = (n: number | bigint): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",")

/** `1 invoice`, `2 invoices`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`

/** `1 item needs attention`, `3 items need attention`. */
export const attentionCount = (count: number): string =>
  `${plural(count, "item")} ${count === 1 ? "needs" : "need"} attention`
