/** The documents that fixtures of shops must become, as the golden texts of their samples. */

/** By line id: a quantity. */
type Goods = Readonly<Record<string, number>>

/** A parcel, a cancellation or a return. */
export const fact = (kind: string, id: string, of: string, date: string, currency: string, lines: Goods, amount = "") =>
  `{"kind":"${kind}","id":"${id}","order":"${of}","date":"${date}","currency":"${currency}","lines":[${Object.entries(
    lines
  )
    .map(([name, n]) => `{"line":"${name}","quantity":"${n}00000000n"}`)
    .join(",")}]${amount === "" ? "" : `,"amount":"${amount}n"`}}`

/** A line of an order. */
export const part = (id: string, type: string, n: number, gross: string, description: string) =>
  `{"id":"${id}","type":"${type}","quantity":"${n}00000000n","gross":"${gross}n","description":"${description}"}`
