/** Mistakes in reading electronic invoices, each caught by a named test. */
import type { UnitMutant } from "./unitMutants.ts"

const RULES = "test/connectors/einvoice/rules.test.ts"
const FOLDER = "test/connectors/einvoice/folder.test.ts"

const SHARED = "test/sync/pull/SharedCredits.test.ts"

export const E_INVOICES: ReadonlyArray<UnitMutant> = [
  {
    name: "a credit note of several invoices is split anew when more is paid",
    caughtBy: [SHARED, "is split when the payment is known that it waited for, and stays so when more is paid"],
    changes: [
      {
        file: "sync/pull/SharedCredits.ts",
        from: "if (known !== undefined) return known",
        to: "if (known?.length === 0) return known"
      }
    ]
  },
  {
    name: "a credit note of several invoices takes off what was paid after it",
    caughtBy: [SHARED, "of what was open before a later payment"],
    changes: [{ file: "sync/pull/SharedCredits.ts", from: " && document.date <= note.date)", to: ")" }]
  },
  {
    name: "a credit note of several invoices is read before these",
    caughtBy: [FOLDER, "reads a credit note of several invoices after these, and again each time"],
    changes: [{ file: "connectors/einvoice/EInvoice.ts", from: "at < count - 1) {", to: "at < 0) {" }]
  },
  {
    name: "e-invoices: what is left of an invoice is due on the day on which a part was paid",
    caughtBy: [
      FOLDER,
      "is due by its terms where a part of it was paid before, and on the day of payment where all was"
    ],
    changes: [{ file: "connectors/einvoice/Ksef.ts", from: "due.length > 0 || before !== gross", to: "due.length > 0" }]
  },
  {
    name: "e-invoices: an amount that was paid before is asked for again",
    caughtBy: [RULES, "prepaid, of which only the rest is asked for"],
    changes: [
      {
        file: "connectors/einvoice/Meaning.ts",
        from: "const owed = deducts ? gross - prepaid : gross",
        to: "const owed = gross"
      }
    ]
  },
  {
    name: "e-invoices: sums that contradict each other are read",
    caughtBy: [RULES, "whose sums contradict each other"],
    changes: [
      {
        file: "connectors/einvoice/Meaning.ts",
        from: "payable !== gross - prepaid &&",
        to: "payable > gross - prepaid &&"
      }
    ]
  },
  {
    name: "e-invoices: of several in one file only the first is read",
    caughtBy: [RULES, "are all read where a file has several"],
    changes: [
      { file: "connectors/einvoice/Roots.ts", from: "return found.flatMap(", to: "return found.slice(0, 1).flatMap(" }
    ]
  },
  {
    name: "e-invoices: expenses for others are not asked for",
    caughtBy: [RULES, "ask for expenses for others too"],
    changes: [
      {
        file: "connectors/einvoice/Facturae.ts",
        from: "(keep ? whole : whole - withheld) - besides(total)",
        to: "keep ? whole : whole - withheld"
      }
    ]
  },
  {
    name: "e-invoices: VAT that the buyer pays to the state is asked for",
    caughtBy: [RULES, "without the VAT of split payment"],
    changes: [
      {
        file: "connectors/einvoice/FatturaPa.ts",
        from: 'const left = total - sumOf(split, "Imposta")',
        to: "const left = total"
      }
    ]
  },
  {
    name: "e-invoices: what new invoices replace is noted before it was read again",
    caughtBy: [
      FOLDER,
      "voids an invoice that was rejected, and one that a correction takes the place of, also read before"
    ],
    changes: [
      {
        file: "connectors/einvoice/EInvoice.ts",
        from: "if (at === again.length) known.replaced",
        to: "if (at === 0) known.replaced"
      }
    ]
  },
  {
    name: "e-invoices: a supplier's correction voids an invoice of one's own",
    caughtBy: [FOLDER, "does not let a supplier's correction touch an invoice of one's own"],
    changes: [
      {
        file: "connectors/einvoice/EInvoice.ts",
        from: "corrections.filter((one) => isOf(one, sellersOf(settings, seller)))",
        to: "corrections"
      }
    ]
  },
  {
    name: "e-invoices: the last of two invoices with one number counts",
    caughtBy: [FOLDER, "takes a copy once, and lets no second invoice have the number of another"],
    changes: [
      {
        file: "connectors/einvoice/Known.ts",
        from: "if (before !== undefined && before.name !== name && this.#isThere(before.name, name)) return before",
        to: "if (before === undefined && name === key) return before"
      }
    ]
  },
  {
    name: "e-invoices: amounts in another currency than the document are read",
    caughtBy: [RULES, "have to agree: net, tax and total, in the document's currency"],
    changes: [
      {
        file: "connectors/einvoice/Facts.ts",
        from: "if (own === undefined && first !== undefined)",
        to: "if (own === undefined && first === undefined && node === undefined && name === currency)"
      }
    ]
  },
  {
    name: "e-invoices: what the buyer of Facturae withholds is asked for",
    caughtBy: [RULES, "of Facturae are with or without what the buyer withholds"],
    changes: [
      {
        file: "connectors/einvoice/Facturae.ts",
        from: "keep ? whole : whole - withheld",
        to: "keep ? whole : stated"
      }
    ]
  },
  {
    name: "e-invoices: an older debt that is stated as negative prepaid is forgotten",
    caughtBy: [RULES, "ask for more than the invoice where the prepaid amount is negative"],
    changes: [
      {
        file: "connectors/einvoice/Meaning.ts",
        from: 'if (prepaid < 0n && how !== "deduct")',
        to: 'if (prepaid < 0n && how === "quarantine")'
      }
    ]
  },
  {
    name: "e-invoices: a mail that was cut off loses its last part in silence",
    caughtBy: [FOLDER, "that is damaged, encrypted, too deep or a bomb is refused"],
    changes: [
      {
        file: "connectors/einvoice/Mail.ts",
        from: "    throw broken()\n  }\n  nth.count++",
        to: "    return\n  }\n  nth.count++"
      }
    ]
  },
  {
    name: "CODA: a debit that was not paid is money that went out",
    caughtBy: ["test/connectors/files/nationalStatements.test.ts", "returned debits with their reason"],
    changes: [
      {
        file: "connectors/files/bank/CodaMovement.ts",
        from: "const reversal = back.is || said.unpaid !== undefined",
        to: "const reversal = back.is && said.unpaid === undefined && said.text === undefined"
      }
    ]
  },
  {
    name: "an archive's files may have other names than its directory says",
    caughtBy: ["test/connectors/files/workbook.test.ts", "whose parts have other names"],
    changes: [
      {
        file: "connectors/Zip.ts",
        from: "if (nameIn(head, HEAD_BYTES, length) !== name)",
        to: "if (length < 0)"
      }
    ]
  },
  {
    name: "KSeF: a correction of an advance invoice asks for money",
    caughtBy: ["test/connectors/einvoice/rules.test.ts", "advances ask for nothing"],
    changes: [
      {
        file: "connectors/einvoice/Ksef.ts",
        from: '"KOR", "KOR_ROZ"])',
        to: '"KOR", "KOR_ROZ", "KOR_ZAL"])'
      },
      { file: "connectors/einvoice/Ksef.ts", from: 'if (kind === "KOR_ZAL")', to: 'if (kind === "KOR-ZAL")' }
    ]
  },
  {
    name: "a mail whose text goes on with a file that lost its head is read without that file",
    caughtBy: ["test/connectors/einvoice/folder.test.ts", "lost what stands between two of its files"],
    changes: [{ file: "connectors/einvoice/Mail.ts", from: "LINES.test(text)", to: "LINES.test(kind)" }]
  },
  {
    name: "a PDF may have its reader start a program",
    caughtBy: [
      "test/connectors/einvoice/confined.test.ts",
      "runs no text as code, writes no file and starts no program"
    ],
    changes: [
      {
        file: "connectors/einvoice/Pdf.ts",
        from: 'apart("einvoice/PdfProcess", CONFINED)',
        to: 'apart("einvoice/PdfProcess", CONFINED.slice(0, 0))'
      }
    ]
  },
  {
    name: "e-invoices: an ordinary Italian invoice is a credit note by a type that only simplified ones have",
    caughtBy: ["test/connectors/einvoice/italianTypes.test.ts", "that are of simplified ones are in no ordinary one"],
    changes: [
      {
        file: "connectors/einvoice/FatturaPa.ts",
        from: "if (SIMPLIFIED.test(code) === isSimplified)",
        to: "if (type !== undefined)"
      }
    ]
  }
]
