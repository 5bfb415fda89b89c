/** Exports of banks: with headings in their languages, and without. */
import { attackedBanks } from "./Attacked.ts"
import { dutch } from "./BanksDutch.ts"
import { german_banks } from "./BanksGerman.ts"
import { british } from "./BanksBritish.ts"
import { more } from "./BanksMore.ts"
import { rememberedBanks } from "./Remembered.ts"
import { triedBanks } from "./Tried.ts"
import { others } from "./BanksOther.ts"
import { OWN, dmy, dotted, plain, comma } from "./Days.ts"
import { bank, day, german, type Layout, type Movement } from "./Movements.ts"

const headless: ReadonlyArray<Layout> = [
  bank({
    name: "HSBC, United Kingdom, without headings",
    source: "bank2ynab",
    header: "",
    row: (one: Movement) => [dmy(one.on), `${one.who} ${one.text}`, one.amount],
    answers: { currency: "GBP", headless: "yes" }
  }),
  bank({
    name: "Raiffeisen, Austria, without headings",
    source: "ofxstatement-austrian",
    mark: ";",
    header: "",
    row: (one) => [
      dotted(one.on),
      `${one.who} ${one.text}`,
      dotted(one.on),
      comma(one.amount),
      "EUR",
      `${dotted(one.on)} 09:12:00:123`
    ],
    answers: { headless: "yes" }
  }),
  bank({
    name: "easybank, without headings",
    source: "ofxstatement-austrian",
    mark: ";",
    header: "",
    row: (one) => [
      "AT611904300234573201",
      `${one.who} ${one.text}`,
      dotted(one.on),
      dotted(one.on),
      `${one.isIn ? "+" : ""}${german(one.amount)}`,
      "EUR"
    ],
    answers: { headless: "yes" }
  }),
  bank({
    name: "ASN, without headings",
    source: "ofxstatement-dutch",
    header: "",
    row: (one) => [
      day(one.on, "dd-MM-yyyy"),
      OWN,
      one.iban,
      one.who,
      "",
      "",
      "",
      "EUR",
      (Number(one.balance) - Number(one.amount)).toFixed(2),
      "EUR",
      one.amount,
      day(one.on, "dd-MM-yyyy"),
      day(one.on, "dd-MM-yyyy"),
      "8810",
      "OVS",
      `1${plain(one.on)}`,
      "",
      `'${one.text}'`,
      "1"
    ],
    answers: { headless: "yes" }
  })
]

export const banks: ReadonlyArray<Layout> = [
  ...dutch,
  ...german_banks,
  ...british,
  ...others,
  ...more,
  ...headless,
  ...triedBanks,
  ...attackedBanks,
  ...rememberedBanks
]
