/**
 * Provides the elements as web components, for pages without a framework: `<daybook-company-search>` and `<daybook-checkout>`.
 * Options are set as the property `options`; events are DOM events of the same names, with the payload as `detail`.
 */
import type { Sdk } from "./Load.ts"
import { selectorOf } from "./React.ts"
import { type Element, EVENTS, type Name, type OptionsOf } from "./Types.ts"

export interface WebComponent<N extends Name> extends HTMLElement {
  options: OptionsOf[N] | undefined
  /** For a checkout without UI or without a button. */
  readonly confirmOrder: () => void
}

declare global {
  interface HTMLElementTagNameMap {
    "daybook-company-search": WebComponent<"companySearch">
    "daybook-checkout": WebComponent<"checkout">
  }
}

const define = <N extends Name>(tag: string, name: N, sdk: Sdk, first: OptionsOf[N] | undefined): void => {
  // Declared here, because on a server there is no HTMLElement to extend.
  customElements.define(
    tag,
    class extends HTMLElement {
      #element: Element<N> | undefined
      #options = first

      get options() {
        return this.#options
      }
      set options(options: OptionsOf[N] | undefined) {
        this.#options = options
        if (options !== undefined && this.#element !== undefined) this.#element.update(options)
        else this.connectedCallback()
      }
      connectedCallback() {
        // The property was set before the element was defined, and hides the accessor.
        if (Object.hasOwn(this, "options")) {
          const given = this.options
          delete (this as { options?: unknown }).options
          this.#options = given
        }
        if (!this.isConnected || this.#options === undefined || this.#element !== undefined) return
        const element = sdk.elements().create(name, this.#options)
        for (const event of EVENTS[name]) {
          element.on(event, (detail) => this.dispatchEvent(new CustomEvent(event, { detail })))
        }
        element.mount(selectorOf(this))
        this.#element = element
      }
      disconnectedCallback() {
        this.#element?.destroy()
        this.#element = undefined
      }
      confirmOrder() {
        this.#element?.confirmOrder?.()
      }
    }
  )
}

/** Call this once per page. A checkout is mounted when its options are set; a company search needs none. */
export const defineElements = (sdk: Sdk): void => {
  define("daybook-company-search", "companySearch", sdk, {})
  define("daybook-checkout", "checkout", sdk, undefined)
}
