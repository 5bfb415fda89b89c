/** Says that what is chosen on a page was prepared by somebody else (`draft` in its address), and whether it still is what it was. */
import { html, type Node } from "./Html.ts"
import { t } from "./language/Texts.ts"

export interface Prepared {
  /** What it was prepared for is something else now: nothing is chosen. */
  readonly isMoved: boolean
  readonly note: Node
}

/** @param now the digest of what is shown now */
export const prepared = (query: URLSearchParams, now: string | undefined): Prepared => {
  const draft = query.get("draft")
  if (draft === null) return { isMoved: false, note: null }
  const isMoved = draft !== now
  const words = isMoved
    ? t`What was prepared here is something else by now, so nothing is chosen. Decide by what is shown.`
    : t`An assistant, or whoever gave you this address, prepared what is chosen here. Nothing is decided until you do it.`
  return { isMoved, note: html`<p class="note" role="status">${words}</p>` }
}
