/** The page's answers, with the headers that keep other sites out. */

export const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store"
}

export const HTML_HEADERS = { ...HEADERS, "content-type": "text/html; charset=utf-8" }

export const document = (status: number, text: string, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { status, headers: { ...HTML_HEADERS, ...more } })

export const goTo = (address: string, more: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: 303, headers: { ...HEADERS, location: address, ...more } })

/** A page that the browser leaves at once for another address, of its own accord: nobody redirected it there. */
export const goOn = (address: string, text: string, more: Readonly<Record<string, string>> = {}): Response =>
  document(200, text, { refresh: `0; url=${address}`, ...more })
