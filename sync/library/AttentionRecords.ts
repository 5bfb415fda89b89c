/** Builds the parts that records of calls and of attention items share. */
import type { Attention } from "../model/Call.ts"
import * as MatchCandidates from "../matching/Candidates.ts"
import * as MatchChoices from "../matching/Choices.ts"
import type { Db } from "../state/Database.ts"

/** The invoices that an unmatched payment may be for. */
export const candidatesOf = (db: Db, { rule, subject }: Attention) =>
  MatchChoices.isMatchingItem(rule) ? { candidates: MatchCandidates.candidates(db, subject) } : {}

/** The payment, reversal or credit note behind it, if it is not the invoice itself. */
export const cause = (fact: string, document: string): { readonly fact?: string } => (fact === document ? {} : { fact })
