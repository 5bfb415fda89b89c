/** English words of exports. */
import type { Vocabulary } from "./Words.ts"

export const english: Vocabulary = {
  code: "en",
  headings: {
    invoice:
      "invoice number|invoice no|invoice num|invoice #|invoice|inv no|inv number|inv #|bill number|bill no|sales invoice number|invoice reference|invoice ref|invoice name",
    document:
      "number|num|no|document number|document no|doc no|doc number|document|vch no|voucher no|voucher number|reference number|ref no|reference|ref|trx number",
    key: "invoice id|id|uuid|internal id|record id|entry id",
    payment:
      "payment id|payment number|payment no|payment ref|receipt number|receipt no|transaction id|transaction number|transaction ref|txn id|payment",
    credit:
      "credit note number|credit note no|credit note|credit note id|credit memo number|credit memo|cn number|credit no",
    original:
      "original invoice|original invoice number|applied to invoice|applied to|applies to|credited invoice|related invoice|against invoice|invoice applied",
    party:
      "customer name|customer|party name|party's name|party|client name|client|buyer|buyer name|contact name|contact|debtor|debtor name|company name|company|bill to|billed to|billing name|to|name|payer|payer name|counterparty|counter party|counterparty name|counter party name|counterparty name|partner name|partner|partner display name|invoice partner display name|sender|sender name|consumer name|remitter|ordering party|paid by name|counteraccount name|customer full name|bill to customer name|bill to customer|account name",
    party_id:
      "customer id|customer number|customer no|customer code|client id|client number|client code|account code|account ref|a/c|account reference|account number|account no|contact id|debtor number|debtor code",
    country:
      "country|customer country|billing country|country code|bill to country|client country|billing country code",
    regnum: "registration number|company number|company registration number|company reg no|reg no|regnum",
    vat: "vat number|vat no|vat id|vat reg no|tax id|tax number|vat registration number|customer vat number",
    issued:
      "invoice date|invoice/bill date|issue date|issued|issued on|date issued|dated on|date of issue|billing date|bill date|vch date|voucher date|document date|issued date|created on",
    date: "completed date|date completed|date|date processed|processed date|transaction date|dateOp|started date|date started|completed on|posting date|booking date|value date|txn date|created|created at|credit note date|entry date|trx date",
    paid_on:
      "payment date|paid on|date paid|paid date|paid at|date of payment|settled|settled on|received on|date received|received|settlement date|settled date|payment received date|payment received|cleared date|clearing date|clear date|date cleared",
    due: "due date|next payment due at|due|due on|payment due|payment due date|date due|pay by|maturity date|expected payment date|due by|payable by|pay before|payment deadline|payment due by",
    terms: "terms|payment terms|payment terms days|terms days|credit terms|days",
    net: "net|net amount|net value|net total|subtotal|sub total|amount excl vat|total excl vat|total excluding tax|amount ex vat|excl vat|ex vat|total net|net invoice value|amount before tax|total ex tax|taxable amount|goods",
    tax: "tax|vat|vat amount|tax amount|sales tax|tax total|total tax|taxes|total vat|gst|sales tax value|tax value",
    gross:
      "gross|gross amount|gross value|gross total|total incl vat|total including tax|amount incl vat|amount inc vat|incl vat|inc vat|grand total|invoice total|invoice amount|bill amount|bill amt|invoice value|total amount|total value|total|amount due incl vat|amount due original|original amount due|total inc tax|total gross|final amount|total payable|net payable|amount payable|line total|item total",
    amount: "amount|value|sum|transaction amount|line amount",
    paid: "amount paid|paid amount|paid to date|amount paid to date|paid value|invoice amount paid|total paid|payments|payments received|paid|received amount|amount received|payment received|amount allocated|payment amount",
    balance:
      "balance due|open|still open|left to pay|left open|owing|owed|open balance|balance to pay|total due|amount due|amount due remaining|remaining amount due|remaining amount|amount remaining|outstanding|outstanding amount|outstanding balance|amount outstanding|invoice amount due|balance|due value|still due|open amount|pending amount|remaining|unpaid|unpaid amount|amount owing|balance outstanding|closing balance|running balance|resulting balance|account balance",
    paid_in:
      "paid in|deposit amt|deposit amount|credit amt|money in|credit amount|credits|credit|deposits|deposit|inflow|in",
    paid_out:
      "paid out|withdrawal amt|withdrawal amount|debit amt|money out|debit amount|debits|debit|withdrawals|withdrawal|outflow|out",
    currency: "currency|currency code|ccy|curr|iso currency|invoice currency|payment currency",
    status: "status|invoice status|state|payment status|document status|invoice state",
    type: "transaction type|type|vch type|voucher type|document type|doc type|trans type|kind|invoice type|trx class|trx type|class",
    method: "payment method|method|paid by|payment type|means of payment",
    text: "invoice nos|invoice numbers|invoices|description|payment reference|structured communication|structured reference|creditor reference|kid number|ocr number|payment ref|reference text|label|transaction description|payer reference|payment description|transaction details|reference text|narration|payment details|transaction description|details|narrative|memo|memo/description|desc|message for payee|message|activity|particulars|remittance information|note|notes|your reference",
    code: "code|reason code|provider code|return code|failure code",
    reason: "reversal type|reversal reason|reason|return reason",
    order: "order number|order no|order #|order id|order",
    quantity: "quantity|qty|items"
  },
  states: {
    draft: "draft|pending approval|awaiting approval|submitted|quote|proforma|pro forma|scheduled|new",
    open: "open|sent|unpaid|overdue|awaiting payment|authorised|authorized|approved|outstanding|due|issued|partially paid|part paid|partly paid|partial|partiallypaid|viewed|not paid|posted|finalised|finalized|final|active|late|past due|pending|partially refunded|in process|processing|on hold|delivered|emailed",
    paid: "paid|closed|settled|paid in full|fully paid|complete|completed|overpaid|zero value|cleared|deposited",
    void: "void|voided|cancelled|canceled|deleted|reversed|trash|withdrawn"
  },
  types: {
    invoice:
      "380|326|384|386|389|383|393|invoice|sales invoice|customer invoice|si|inv|tax invoice|accrec|receivable invoice|ar invoice|sale|sales",
    credit_note:
      "381|396|261|credit note|sales credit note|credit memo|sales credit|sc|cn|cm|credit|customer credit note|accreccredit|receivable credit note|refund note",
    payment:
      "payment|customer payment|pmt|receipt|sales receipt on account|sr|sa|payment received|customer receipt|receive payment|payment on account",
    refund: "payment reversal|refund payment|bounced payment|refund|customer refund|payment refund|chargeback|reversal",
    left_out:
      "void|voided|deleted|cancelled|canceled|estimate|quote|quotation|proforma|pro forma|pro forma invoice|proforma invoice|sales order|purchase invoice|purchase order|supplier invoice|vendor invoice|bill|bill payment|expense|supplier payment|vendor payment|vendor credit|supplier credit|journal|journal entry|transfer|deposit slip|delivery note|pi|pp|pc|pa|po|bp|jd|jc|check|cheque"
  },
  returned: "returned|unpaid|chargeback|reversal|bounced",
  titles: {
    invoices: "invoice|sales invoices|receivable|debtors|unpaid|outstanding",
    payments: "payment|receipts|payout|bank|statement|transactions received|settlement",
    credit_notes: "credit note|creditnote|credit memo|credits",
    orders: "orders"
  }
}
