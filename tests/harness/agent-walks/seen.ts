import type { Page } from 'playwright-core'
import { z } from 'zod'

/** What a person sees on a page of the console. */
export type Seen = z.output<typeof seenSchema>
const seenSchema = z.object({
  /** `sound`: only the sound of a call is left, the sign-in is over. `none`: the page is not there, or shows nothing yet. */
  screen: z.enum(['work', 'sign-in', 'locked', 'unreachable', 'sound', 'none']),
  /** The chip of the phone, such as `Phone ready`. */
  phone: z.string(),
  /** The agent's state in the header. */
  state: z.string(),
  /** Calls that the page shows as ringing, and as answered, wherever it does so: the digits of their numbers. */
  ringing: z.array(z.string()),
  calls: z.array(z.string()),
  /** The call that the desk is about, by its digits, and what its field for notes has. */
  desk: z.object({ number: z.string(), notes: z.string() }).nullable(),
})

const look = `(() => {
  const text = (selector) => document.querySelector(selector)?.textContent ?? ''
  const digits = (element) => (element?.textContent ?? '').replace(/\\D/g, '').slice(-10)
  const head = document.querySelector('.desk-call-head')
  const notes = document.querySelector('.desk-outcome textarea')
  const numbers = (phase) => [...document.querySelectorAll('.desk-call-head[data-phase=' + phase + '] h2, .call-bar[data-phase=' + phase + '] .call-bar-who')].map(digits)
  const screen = document.querySelector('.phone-only') ? 'sound'
    : document.querySelector('#content') ? 'work'
    : document.querySelector('input[name=password]') ? 'sign-in'
    : document.querySelector('.entrance-facts') ? 'locked'
    : document.querySelector('.entrance') ? 'unreachable' : 'none'
  return {
    screen,
    phone: text('.phone-status'),
    state: text('.state-trigger .state-face > :first-child'),
    ringing: [...numbers('RINGING'), ...[...document.querySelectorAll('.phone-ringing [role=alert]')].map(digits)],
    calls: numbers('ANSWERED'),
    desk: head && notes ? { number: digits(head.querySelector('h2')), notes: notes.value } : null,
  }
})()`

export async function lookAt(page: Page): Promise<Seen> {
  // A page that is just being loaded again cannot be asked.
  const seen: unknown = await page.evaluate(look).catch(() => null)
  return seen === null ? { screen: 'none', phone: '', state: '', ringing: [], calls: [], desk: null } : seenSchema.parse(seen)
}
