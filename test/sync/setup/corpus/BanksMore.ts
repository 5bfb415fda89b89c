/** Exports of programs that gather accounts, and of further banks. */
import { dotted } from "./Days.ts"
import { bank, day, german, type Layout } from "./Movements.ts"

export const more: ReadonlyArray<Layout> = [
  bank({
    name: "Outbank",
    source: "a public importer's page",
    mark: ";",
    header:
      "#;Account;Date;Value Date;Amount;Currency;Name;Number;Bank;Reason;Category;Subcategory;Category-Path;Tags;Note;Posting Text",
    row: (one) => [
      one.on.slice(8),
      "DE02120300000000202051",
      dotted(one.on),
      dotted(one.on),
      german(one.amount),
      "EUR",
      one.who,
      one.iban,
      "",
      one.text,
      "",
      "",
      "",
      "",
      "",
      one.isIn ? "GUTSCHRIFT" : "LASTSCHRIFT"
    ]
  }),
  bank({
    name: "Handelsbanken, United Kingdom",
    source: "a public importer's settings",
    header: "Date,Details,Money out,Money in,Balance",
    row: (one) => [
      day(one.on, "dd MMM yyyy"),
      `${one.who} ${one.text}`,
      one.isIn ? "" : one.size,
      one.isIn ? one.size : "",
      one.balance
    ],
    answers: { currency: "GBP" }
  }),
  bank({
    name: "a German bank without headings, with S and H",
    source: "firefly-iii/firefly-iii, issue 2835",
    mark: ";",
    header: "",
    row: (one) => [
      dotted(one.on),
      dotted(one.on),
      one.who,
      one.who,
      "",
      one.iban,
      "",
      "MARKDEF1100",
      one.text,
      "",
      "EUR",
      german(one.size),
      one.isIn ? "H" : "S"
    ],
    answers: { headless: "yes" }
  })
]
