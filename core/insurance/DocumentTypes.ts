/** What may be uploaded as a collection document (II 2.11). */

/** The types of documents (II 2.11). The specification spells proof of order `prood_order`. */
export const TYPES = [
  "invoice",
  "statement",
  "prood_order",
  "proof_delivery",
  "shipping",
  "correspondence",
  "other"
] as const

/** Per file. Assumption: no limit is shown; most servers accept forms of ten megabytes. */
export const LARGEST_FILE_BYTES = 8 * 1024 * 1024
