/** Lists in other languages, each with its way to write. */
import {
  bom,
  csv,
  day,
  french,
  german,
  INVOICE_SUMS,
  INVOICES,
  OPEN,
  serial,
  utf16,
  windows,
  workbook,
  rows,
  total,
  state,
  paid,
  PAYMENT_SUMS,
  type Sample
} from "./Exports.ts"

export const languages: ReadonlyArray<Sample> = [
  {
    name: "a French list in UTF-16 with tabs, and its payments",
    files: {
      "factures.csv": utf16(
        csv(
          [
            ["Liste des factures clients"],
            ["Période : du 01/01/2026 au 31/03/2026"],
            [],
            [
              "N° de facture",
              "Date de facture",
              "Échéance",
              "Client",
              "Montant HT",
              "TVA",
              "Montant TTC",
              "Reste à payer",
              "Statut"
            ],
            ...rows((one) => [
              one.no,
              day(one.issued, "dd/MM/yyyy"),
              day(one.due, "dd/MM/yyyy"),
              one.customer,
              `${french(one.net)} €`,
              `${french(one.tax)} €`,
              `${french(one.gross)} €`,
              `${french(one.open)} €`,
              state({ draft: "Brouillon", open: "Envoyée", paid: "Payée", void: "Annulée" }, one, "Partiellement payée")
            ]),
            [
              "Total",
              "",
              "",
              "",
              `${french(total("net"))} €`,
              `${french(total("tax"))} €`,
              `${french(total("gross"))} €`,
              `${french(total("open"))} €`,
              ""
            ]
          ],
          "\t"
        )
      ),
      "reglements.csv": bom(
        csv(
          [
            ["N° de paiement", "N° de facture", "Date de règlement", "Montant réglé", "Mode de règlement"],
            ...paid.map(([id, invoice, date, amount]) => [
              id,
              invoice,
              day(date, "dd/MM/yyyy"),
              `${french(amount)} €`,
              "Virement"
            ])
          ],
          ";"
        )
      )
    },
    sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS },
    open: OPEN,
    currencies: ["EUR"]
  },
  {
    name: "a Dutch list in which credit notes are negative",
    files: {
      "Facturen.csv": windows(
        csv(
          [
            [
              "Factuurnummer",
              "Debiteur",
              "Landcode",
              "Factuurdatum",
              "Vervaldatum",
              "Bedrag excl. btw",
              "Btw",
              "Bedrag incl. btw",
              "Openstaand",
              "Status",
              "Oorspronkelijke factuur"
            ],
            ...rows((one) => [
              one.no,
              one.customer,
              one.country,
              day(one.issued, "dd-MM-yyyy"),
              day(one.due, "dd-MM-yyyy"),
              `€ ${german(one.net)}`,
              `€ ${german(one.tax)}`,
              `€ ${german(one.gross)}`,
              `€ ${german(one.open)}`,
              state(
                { draft: "Concept", open: "Verzonden", paid: "Betaald", void: "Geannuleerd" },
                one,
                "Deels betaald"
              ),
              ""
            ]),
            [
              "CF-1",
              "Tern, Tide & Co",
              "GB",
              "20-02-2026",
              "20-02-2026",
              "€ -10,00",
              "€ -2,00",
              "€ -12,00",
              "€ 0,00",
              "Betaald",
              "INV-2003"
            ]
          ],
          ";"
        )
      )
    },
    sums: { ...INVOICE_SUMS, credit_note: [1, "12.00"] },
    open: OPEN,
    currencies: ["EUR"]
  },
  {
    name: "an Italian workbook: a sheet of invoices, one of receipts",
    files: {
      "contabilita.xlsx": workbook(
        [
          "Fatture",
          [
            ["Numero fattura", "Data fattura", "Scadenza", "Cliente", "Imponibile", "IVA", "Totale", "Stato"],
            ...INVOICES.map((one) => [
              one.no,
              serial(one.issued),
              serial(one.due),
              one.customer,
              Number(one.net),
              Number(one.tax),
              Number(one.gross),
              state(
                { draft: "Bozza", open: "Da pagare", paid: "Pagata", void: "Annullata" },
                one,
                "Parzialmente pagata"
              )
            ])
          ]
        ],
        [
          "Incassi",
          [
            ["N. incasso", "Numero fattura", "Data incasso", "Importo"],
            ...paid.map(([id, invoice, date, amount]) => [id, invoice, serial(date), Number(amount)])
          ]
        ]
      )
    },
    answers: { currency: "EUR" },
    sums: { ...INVOICE_SUMS, ...PAYMENT_SUMS },
    currencies: ["EUR"]
  },
  {
    name: "a Spanish list with totals, and its amounts in columns of base and tax",
    files: {
      "facturas_emitidas.csv": windows(
        csv(
          [
            ["Empresa: Comercial Sur SL"],
            [
              "Nº factura",
              "Fecha factura",
              "Vencimiento",
              "Cliente",
              "NIF",
              "Base imponible",
              "Cuota IVA",
              "Total factura",
              "Pendiente",
              "Estado"
            ],
            ...rows((one) => [
              one.no,
              day(one.issued, "dd/MM/yy"),
              day(one.due, "dd/MM/yy"),
              one.customer,
              "B12345678",
              german(one.net),
              german(one.tax),
              german(one.gross),
              german(one.open),
              state(
                { draft: "Borrador", open: "Pendiente", paid: "Cobrada", void: "Anulada" },
                one,
                "Parcialmente cobrada"
              )
            ]),
            [
              "Total",
              "",
              "",
              "",
              "",
              german(total("net")),
              german(total("tax")),
              german(total("gross")),
              german(total("open")),
              ""
            ]
          ],
          ";"
        )
      )
    },
    answers: { currency: "EUR" },
    sums: INVOICE_SUMS,
    open: OPEN,
    currencies: ["EUR"]
  }
]
