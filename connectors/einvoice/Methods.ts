/** What UNTDID 4461's payment means are to the service, see EN 16931's BT-81. */
import type { PayMethod } from "../Document.ts"

export const methodOf = (code: string | undefined): PayMethod | undefined =>
  code === undefined
    ? undefined
    : code === "10"
      ? "cash"
      : ["48", "54", "55"].includes(code)
        ? "card"
        : ["30", "31", "42", "49", "57", "58", "59"].includes(code)
          ? "bank"
          : undefined
