/**
 * The SDK that a page loads: `DeferredPayment(publicKey)`, then `elements()`, then `create` (DP 6.3).
 *
 * Assumptions: the function's name, that `elements` is a function, and that a `locale` may be given are not shown. Each
 * `elements()` has one element per name, because `getElement` takes a name.
 */
import { checkoutKind, type CheckoutOptions } from "./CheckoutElement.ts"
import { companySearchKind, type CompanySearchOptions } from "./CompanySearchElement.ts"
import { type Element, IntegrationError, makeElement } from "./Element.ts"
import { localeOf } from "./Format.ts"
import { Session, warn } from "./Session.ts"

/** The payment frame's address, filled in by the service. */
const FRAME = "__FRAME_HOST__"

const NAMES = ["companySearch", "checkout"]

const isKnown = (name: string): void => {
  if (!NAMES.includes(name)) {
    throw new IntegrationError(`there is no element ${JSON.stringify(name)}; there are ${NAMES.join(" and ")}.`)
  }
}

const script = document.currentScript as HTMLScriptElement | null

/** The address that the SDK was loaded from; warns the developer if it was loaded in an unsupported way. */
const home = (): string => {
  if (script === null || !/\/sdk\/v1\/?$/.test(new URL(script.src || "about:blank").pathname)) {
    throw new IntegrationError(
      "load the SDK by a script element in the page's markup, from the service's own address ending in /sdk/v1; it is not to be bundled or copied."
    )
  }
  return new URL(script.src).origin
}

// A script inserted by a script is asynchronous even without the attribute.
if (script?.async === true && !script.hasAttribute("async")) {
  warn("the SDK was added to the page by a script. Put its script element into the page's markup.")
}

const checkKey = (key: unknown): string => {
  if (typeof key === "string" && key.startsWith("pk-")) return key
  throw new IntegrationError(
    typeof key === "string" && key !== ""
      ? "this is not a public key, which begins with pk-. If it is a secret key, it has been seen by whoever loads this page: replace it, and give the page the public key."
      : "give the public key of the platform, which begins with pk-."
  )
}

/** Preferred languages in order: the one requested, the offer's, the page's, the buyer's. */
const localeFor = (asked: string | undefined) => (wish?: string) =>
  localeOf([asked, wish, document.documentElement.lang, ...navigator.languages])

const elements = (session: Session, asked: string | undefined) => {
  const all = new Map<string, Element>()
  return {
    create: (name: string, options: object = {}): Element => {
      isKnown(name)
      if (all.has(name)) {
        throw new IntegrationError(
          `there is already an element ${name}: getElement("${name}") gives it, and its destroy() removes it. Another elements() may have one more.`
        )
      }
      const forget = () => void all.delete(name)
      const element =
        name === "checkout"
          ? makeElement<CheckoutOptions>(checkoutKind(FRAME, localeFor(asked)), session, options, forget)
          : makeElement<CompanySearchOptions>(companySearchKind, session, options, forget)
      all.set(name, element)
      return element
    },
    getElement: (name: string): Element | null => {
      isKnown(name)
      return all.get(name) ?? null
    }
  }
}

const create = (publicKey: string, { locale }: { readonly locale?: string } = {}) => {
  const key = checkKey(publicKey)
  const session = new Session(key, `${home()}/sdk/v1`, localeFor(locale)())
  return { elements: () => elements(session, locale) }
}

declare global {
  interface Window {
    DeferredPayment?: typeof create
  }
}

if (window.DeferredPayment === undefined) window.DeferredPayment = create
else warn("the SDK was loaded twice; the first one stays.")
