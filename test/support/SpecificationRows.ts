/**
 * Lists the requirements of both specifications, row by row: every endpoint and note of their sections 4, every transition of
 * their sections 3, every row of their sections 7, and every option, method and event of the elements. Copied by hand, so that
 * the project does not need the documents. DP is deferred payment, II is invoice insurance.
 *
 * A test shows a row if its name begins with the row's: `DP 4.5: ...` for a numbered row, and otherwise
 * `DP 4 GET /v1/me: ...` or `II 3.2: offered | transaction edited -> ...`.
 */
export interface Row {
  readonly document: "DP" | "II"
  readonly section: string
  /** Its number, or the text of its first cells. */
  readonly row: string
  /** The requirement. */
  readonly words: string
}

type Rows = ReadonlyArray<readonly [row: string, words: string]>

const rows = (document: Row["document"], section: string, all: Rows): ReadonlyArray<Row> =>
  all.map(([row, words]) => ({ document, section, row, words }))

export const SPECIFICATION: ReadonlyArray<Row> = [
  ...rows("DP", "3", [
    ["created by offer request, buyer eligible", "the plan is `offered`; rejection_reason null"],
    ["created by offer request, buyer not eligible", "the plan is `declined`; rejection_reason filled"],
    ["offered -> accepted", "when the buyer completes checkout for that plan; a deferred payment is created"],
    ["order", "a created order reports `unpaid`"],
    ["checkout element", "if every plan of the offer is `declined`, the element is not shown"]
  ]),
  ...rows("DP", "4", [
    ["GET /v1/me", "identity check"],
    ["GET /v1/countries/debtor", "200 list of {code, name}"],
    ["POST /v1/companies/search", "200 matches with confidence, an empty list when none"],
    ["GET /v1/companies/<company_id>", "200 company"],
    ["POST /v1/soletraders", "201 sole trader"],
    ["GET /v1/soletraders", "200 page of sole traders created by the platform"],
    ["GET /v1/soletraders/<soletrader_id>", "200"],
    ["PATCH /v1/soletraders/<soletrader_id>", "any subset of writable fields: 200 full sole trader"],
    ["POST /v1/organisations", "201 created; 200 when an organisation with the same unique_id exists (it is updated)"],
    ["GET /v1/organisations", "200 page"],
    ["GET /v1/organisations/<organisation_id>", "200"],
    ["PATCH /v1/organisations/<organisation_id>", "subset of fields incl. payment_method_config: 200 organisation"],
    ["DELETE /v1/organisations/<organisation_id>", "204"],
    ["POST /v1/organisations/<organisation_id>/users", "201; 200 if already a member (role is updated)"],
    ["GET /v1/organisations/<organisation_id>/users", "200 page"],
    ["GET /v1/organisations/<organisation_id>/users/<user_id>", "200"],
    ["PATCH /v1/organisations/<organisation_id>/users/<user_id>", "role: 200"],
    ["DELETE /v1/organisations/<organisation_id>/users/<user_id>", "204"],
    ["POST /v1/payment/orders", "201 order"],
    ["GET /v1/payment/orders/", "limit, offset: 200 page"],
    ["PATCH /v1/payment/orders/<order_id>", "unique_id, the only field modifiable after checkout: 200"],
    ["POST /v1/payment/offers", "201 offer"],
    ["GET /v1/payment/offers/<offer_id>", "optional expand=order: 200 offer"],
    ["POST /v1/payment/deferred_payments/<deferred_payment_id>/capture", "amount (minor units): 201 ledger event"],
    ["POST /v1/payment/deferred_payments/<deferred_payment_id>/void", "amount; idempotency example only"],
    ["1", "membership can be managed from the user side"],
    ["2", "preferences change with PATCH under a path without an organisation id: 201 organisation"],
    ["3", "a role sent for an existing member replaces the role"],
    ["4", "expand replaces identifiers by whole resources, on reads"],
    ["5", "idempotency, see section 8"],
    ["6", "GET of a single order: not shown"],
    ["7", "void and refund: not shown"],
    ["8", "payment intents: not shown beyond the object"],
    ["9", "user endpoints for this interface: not shown"],
    ["10", "billing account endpoints: not shown"]
  ]),
  ...rows("DP", "6.1", [["notification", "urls.notification receives the payment status of the deferred payment"]]),
  ...rows("DP", "6.2", [
    ["on(event, handler)", "binds before mount; binding after mount can lose events"],
    ["companySearch ready", "element fully loaded after mount"],
    ["companySearch failure", "fatal error while loading"],
    ["companySearch countryInputChange", "country select changed; carries the selected country"],
    ["companySearch companyTypeInputChange", "company type changed; carries `registered-company` or `sole-trader`"],
    [
      "companySearch companySelection",
      "user selects a company; carries a company or sole trader object with an extra `type`, or null when none"
    ],
    ["checkout ready", "loaded after mount"],
    ["checkout success", "the buyer's submission succeeded (required handler)"],
    ["checkout failure", "fatal load error (required handler)"],
    ["checkout rejected", "company not approved for any payment offer"],
    ["checkout formState", "submission status changed: `isReadyToSubmit`; only with `buttonlessSubmission`"]
  ]),
  ...rows("DP", "6.3", [
    ["script", "from the SDK host directly, in the page's markup; with async or defer, called after loading"],
    ["public key", "the SDK is created with it (DP 5.4); secret keys are never placed in client-side code (DP 5.3)"],
    ["elements.create(name, options)", "builds `companySearch` or `checkout`"],
    ["elements.getElement(name)", "retrieves an existing element"],
    ["mount(css_selector)", "attaches the element"],
    ["unmount()", "keeps element and handlers"],
    ["destroy()", "removes element and handlers"],
    ["update(options)", "re-renders with new options"],
    ["confirmOrder()", "for headless or buttonless submission"],
    ["companySearch companyId", "a company's identifier (optional)"],
    ["companySearch country", "a country (optional)"],
    ["companySearch countryOptions", "a list of country codes (optional)"],
    ["checkout paymentOffer", "the object from the offer request; standard workflow"],
    ["checkout intent", "the object from the intent request; single-call workflow; never both"],
    ["checkout paymentPlanId", "replaces the plan list with one preselected plan; not used with intent"],
    ["checkout headless", "no UI; needs `paymentPlanId`; invoice is the only method"],
    ["checkout buttonlessSubmission", "no submit button, `confirmOrder` instead"],
    ["checkout hidePaymentPlanName", "needs `paymentPlanId`"],
    [
      "content security policy",
      "connect-src and frame-src for SDK host and payment frame host, script-src for the SDK host"
    ]
  ]),
  ...rows("DP", "7", [
    ["400", "field-keyed lists of messages; non_field_errors; idempotency misuse {error}"],
    ["404", "identifier invalid or object not found: {detail}"],
    ["409", "organisation has attached payment objects: {detail}"],
    ["429", "rate limit hit: {detail} and Retry-After"],
    ["1", "company search without country: 400, list under country"],
    ["2", "company search with neither name nor reg_number: 400, non_field_errors"],
    ["3", "sole trader with unknown owner or duplicate unique_id: 400 under both"],
    ["4", "unknown id or invalid role: 400, lists under id and role"],
    ["5", "preference on or off for a method that is not overridable: 400 under preference"],
    ["6", "an idempotency key for another operation or amount: 400 with error"],
    ["7", "company, sole trader, organisation, organisation user not found: 404"],
    ["8", "organisation delete with attached objects: 409"],
    ["9", "401 and 403: not shown"]
  ]),
  ...rows("II", "3.1", [
    ["draft | update (PATCH)", "transaction not insured -> pending"],
    ["draft | confirm endpoint", "-> pending, insured too; the only way to change an insured draft"],
    ["pending | paid endpoint", "-> paid; paid_date and pay_method recorded"],
    ["pending | any", "-> draft: not allowed"],
    ["an insured transaction", "cannot be updated except via amend and confirm"]
  ]),
  ...rows("II", "3.2", [
    ["(new) | quote request | no rejection", "-> offered"],
    ["(new) | quote request | rejection", "-> declined; rejection_reason filled, payment_required false"],
    ["offered | new quote requested on the same transaction", "-> expired: one valid quote at a time"],
    ["offered | transaction edited", "-> expired"],
    ["offered | policy created", "valid, paid -> accepted"],
    ["policy creation", "on an expired or accepted quote gives 400"],
    ["an offered quote", "does not insure until accepted and paid"]
  ]),
  ...rows("II", "3.3", [
    ["(new) | policy created", "quote accepted -> active"],
    ["active | due date passes", "no payment indicated -> late"],
    ["active or late | customer or platform marks paid", "-> paid"],
    ["late | automatic", "-> late_can_handover"],
    ["late_can_handover | handover window ends", "neither handed over nor marked paid -> lapsed"],
    ["late_can_handover | collection sent", "-> under_collection"]
  ]),
  ...rows("II", "3.4", [
    ["1. Create", "only when the policy is late_can_handover (else 409); the owner has at least one admin"],
    ["2. Update", "confirm_correct and collections_terms_acceptance are set here, not at creation"],
    ["3. Send", "afterwards it is not modifiable, and its documents cannot be deleted"]
  ]),
  ...rows("II", "4", [
    ["GET /v1/countries/customer", "200 list of {code, name}"],
    ["GET /v1/countries/debtor", "200 list of {code, name}"],
    ["POST /v1/companies/search", "200"],
    ["GET /v1/companies/<company_id>", "200"],
    ["POST, GET /v1/soletraders", "201 / 200 page; fewer fields are required than in the first document"],
    ["GET, PATCH /v1/soletraders/<soletrader_id>", "200"],
    ["POST /v1/scores", "company, or country with name or reg_number: 200 score"],
    ["POST /v1/credit_limits/debtor/company/<company_id>/", "currency, EUR by default: 200, eligible or declined"],
    ["raw data without a match", "scores: 200 with nulls and empty strings"],
    ["an unknown or wrongly prefixed company", "scores: 400 under company"],
    ["POST /v1/users", "201; repeated with an existing email partially updates that user"],
    ["GET /v1/users", "200 page"],
    ["GET /v1/users/<user_id>", "200"],
    ["PATCH /v1/users/<user_id>", "200 user with organisations; membership is not updatable here"],
    ["DELETE /v1/users/<user_id>", "204"],
    ["POST /v1/organisations", "201; 200 if unique_id exists (updated)"],
    ["GET /v1/organisations", "200 page"],
    ["GET /v1/organisations/<organisation_id>", "200"],
    ["PATCH /v1/organisations/<organisation_id>", "200"],
    ["DELETE /v1/organisations/<organisation_id>", "204"],
    ["POST /v1/users/<user_id>/organisations", "201; 200 if already member (role updated)"],
    ["GET /v1/users/<user_id>/organisations", "200 page of {id, role}"],
    ["GET /v1/users/<user_id>/organisations/<organisation_id>", "200 {id, role}"],
    ["PATCH /v1/users/<user_id>/organisations/<organisation_id>", "role: 200"],
    ["DELETE /v1/users/<user_id>/organisations/<organisation_id>", "204"],
    ["POST /v1/organisations/<organisation_id>/users", "201; 200 if already member"],
    ["GET /v1/organisations/<organisation_id>/users", "200 page"],
    ["GET /v1/organisations/<organisation_id>/users/<user_id>", "200"],
    ["PATCH /v1/organisations/<organisation_id>/users/<user_id>", "role: 200"],
    ["DELETE /v1/organisations/<organisation_id>/users/<user_id>", "204"],
    ["POST /v1/transactions", "201 transaction"],
    ["PUT /v1/transactions/<transaction_id>/match_debtor", "200 transaction; unknown debtor gives 400"],
    ["GET /v1/transactions", "200 page"],
    ["GET /v1/transactions/<transaction_id>", "optional expand=debtor,creditor,policy,quote: 200"],
    ["PATCH /v1/transactions/<transaction_id>", "200; only uninsured transactions"],
    ["DELETE /v1/transactions/<transaction_id>", "204; only uninsured"],
    ["PUT /v1/transactions/<transaction_id>/confirm", "200 transaction (draft to pending)"],
    ["PUT /v1/transactions/<transaction_id>/paid", "pay_method, paid_date (both optional): 200 transaction"],
    ["PATCH /v1/transactions/<transaction_id>/amend/", "amounts, dates, schedule, all optional: 200 transaction"],
    ["GET /v1/transactions/<transaction_id>/payments/", "200 page of payments"],
    ["POST /v1/transactions/<transaction_id>/payments/", "201 payment"],
    ["amend rules", "an omitted schedule stays; one that is given sums to gross_amount and ends on due_date"],
    ["POST /v1/quotes", "201 quote (offered or declined)"],
    ["GET /v1/quotes", "200 page"],
    ["GET /v1/quotes/<quote_id>", "200"],
    ["DELETE /v1/quotes/<quote_id>", "204; not when accepted"],
    ["POST /v1/policies", "201 policy"],
    ["GET /v1/policies", "200 page"],
    ["GET /v1/policies/<policy_id>", "200"],
    ["parties that are null", "are matched internally before a quote"],
    ["POST /v1/collections", "201 collection, prefilled"],
    ["GET /v1/collections", "200 page"],
    ["GET /v1/collections/<collection_id>", "200"],
    ["PATCH /v1/collections/<collection_id>", "200"],
    ["PUT /v1/collections/<collection_id>/send", "hands over the request"],
    ["POST /v1/collectiondocuments", "multipart: 201 collection document"],
    ["GET /v1/collectiondocuments", "optional policy_id: 200 page"],
    ["GET /v1/collectiondocuments/<document_id>", "200"],
    ["DELETE /v1/collectiondocuments/<document_id>", "204; refused after the collection is sent"],
    ["documents must be attached before sending", "such as a copy of the invoice"]
  ]),
  ...rows("II", "7", [
    [
      "Company search, score, credit limit, create or update of users, organisations, transactions, memberships 400",
      "required field missing, bad format, unknown id, wrong id prefix, invalid role"
    ],
    ["Any view, modify or delete by id 404", "not found (detail)"],
    ["PATCH or DELETE transaction 409", "transaction already insured"],
    ["Confirm transaction 409", "transaction not in draft status"],
    ["Amend transaction 400 / 409", "bad field / modification not allowed"],
    ["Request quote 409", "transaction already insured"],
    ["Delete quote 409", "quote accepted"],
    ["Create policy 400", "payment information missing or invalid, token type, quote expired or already accepted"],
    ["Create policy 402", "payment failed (detail)"],
    ["Create policy 502", "payment processor returned a system error"],
    ["Create policy 504", "timeout reaching the payment provider"],
    ["Create or modify collection 409", "policy not in late_can_handover (detail)"],
    ["Create or update collection 400", "missing or invalid field"],
    ["Collection update, view 404", "collection not found"]
  ])
]
