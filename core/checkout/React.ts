/**
 * Provides the elements as components for React, or any library with its hooks: `reactElements(React)`. They are mounted with
 * the component, updated when their options change, and destroyed with it.
 */
import type { Sdk } from "./Load.ts"
import { type Element, EVENTS, type EventsOf, type Name, type OptionsOf } from "./Types.ts"

/** The parts of React that are used. */
interface Hooks {
  readonly createElement: (type: "div", props: { readonly ref: { current: HTMLDivElement | null } }) => unknown
  readonly useEffect: (effect: () => undefined | (() => void), dependencies: ReadonlyArray<unknown>) => void
  readonly useRef: <A>(first: A) => { current: A }
}

/** `onSuccess` for `success`. */
type Handlers<N extends Name> = {
  readonly [E in keyof EventsOf[N] & string as `on${Capitalize<E>}`]?: (payload: EventsOf[N][E]) => void
}

export type Props<N extends Name> = Handlers<N> & {
  readonly sdk: Sdk
  readonly options: OptionsOf[N]
  /** Called with the element, for `confirmOrder`, and with null when it is destroyed. */
  readonly elementRef?: (element: Element<N> | null) => void
}

let count = 0

/** A selector that matches this node only. */
export const selectorOf = (place: HTMLElement): string => {
  place.id ||= `daybook-element-${++count}`
  return `#${CSS.escape(place.id)}`
}

const component =
  <N extends Name>(name: N, { createElement, useEffect, useRef }: Hooks) =>
  (props: Props<N>) => {
    const place = useRef<HTMLDivElement | null>(null)
    const latest = useRef(props)
    const element = useRef<Element<N> | null>(null)
    const shown = useRef("")
    const key = JSON.stringify(props.options)
    latest.current = props
    useEffect(() => {
      const made = props.sdk.elements().create(name, latest.current.options)
      for (const event of EVENTS[name]) {
        const prop = `on${event.charAt(0).toUpperCase()}${event.slice(1)}` as keyof Props<N>
        made.on(event, (payload) => (latest.current[prop] as ((payload: unknown) => void) | undefined)?.(payload))
      }
      if (place.current !== null) made.mount(selectorOf(place.current))
      element.current = made
      shown.current = JSON.stringify(latest.current.options)
      latest.current.elementRef?.(made)
      return () => {
        latest.current.elementRef?.(null)
        made.destroy()
      }
    }, [props.sdk])
    useEffect(() => {
      if (shown.current !== key) element.current?.update(latest.current.options)
      shown.current = key
      return undefined
    }, [key])
    return createElement("div", { ref: place })
  }

/** `const { Checkout, CompanySearch } = reactElements(React)`. */
export const reactElements = <R extends Hooks>(react: R) => ({
  CompanySearch: component("companySearch", react) as (props: Props<"companySearch">) => ReturnType<R["createElement"]>,
  Checkout: component("checkout", react) as (props: Props<"checkout">) => ReturnType<R["createElement"]>
})
