/** Exports of programs that gather accounts, and of further banks. */
import { dotted } from "./Days.ts"
import { bank, day, german, type Layout } from "./Movements.ts"

/** A row of a statement by its type. */
const swedbank = (
  type: string,
  on: string,
  who: string,
  text: string,
  size: string,
  side: string,
  id: string,
  kind: string
) => ["EE382200221020145685", type, dotted(on), who, text, size, "EUR", side, id, kind, "", ""]

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
  }),
  bank({
    name: "Swedbank, Estonia, in English",
    source: "public importers, which leave out the rows of type 10, 82 and 86",
    mark: ";",
    header:
      "Client account;Row type;Date;Beneficiary/Payer;Details;Amount;Currency;Debit/Credit;Transfer reference;Transaction type;Reference number;Document number",
    row: (one) =>
      swedbank(
        "20",
        one.on,
        one.who,
        one.text,
        german(one.size),
        one.isIn ? "K" : "D",
        `2026${one.on.slice(5, 7)}${one.on.slice(8)}001`,
        "MK"
      ),
    more: [
      swedbank("10", "2026-01-01", "", "Opening balance", "100,00", "K", "", "AS"),
      swedbank("82", "2026-03-31", "", "Turnover", "2.170,50", "K", "", "K2"),
      swedbank("86", "2026-03-31", "", "Closing balance", "2.270,50", "K", "", "LS")
    ]
  })
]
