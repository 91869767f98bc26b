import type { SectionName } from '../sections.ts'
import type { Field } from './schema.ts'

/**
 * How the fields of each section are grouped, and in which order. A card of one object, provider or list has its name; the others have a title
 * of `section-texts.ts`. `REST`: all fields that no other card has. Fields that are in no card come last, so that a new one is never missing.
 */
const layout = {
  TELEPHONY: [
    ['provider'],
    { title: 'numbers', keys: ['did', 'campaignName', 'defaultCountry'] },
    { title: 'agentsWork', keys: ['dispositions', 'notReadyReasons', 'wrapUpSeconds', 'claimMinutes', 'serviceLevelSeconds'] },
    ['sip'],
    ['newLeads'],
    { title: 'defaultAgent', keys: ['defaultAgentId', 'defaultAgentPassword', 'sipId'] },
    ['outbound'],
  ],
  AI: [{ title: 'languageModel', keys: ['provider', 'model', 'temperature', 'systemPromptAddendum'] }, ['recordings']],
  ALERTS: [{ title: 'thresholds', keys: 'REST' }, ['openHours'], ['webhook']],
  WIDGET: [
    { title: 'onThePage', keys: ['enabled', 'greeting', 'placeholder', 'position'] },
    { title: 'booking', keys: ['bookingEnabled', 'heldPercent', 'heldPercentPerAddress', 'bookedPercent', 'bookedPercentPerAddress'] },
    { title: 'budget', keys: ['dailyTokenBudget'] },
  ],
  THEME: [['brand'], ['colors'], ['fonts']],
  PLATFORM: [{ title: 'access', keys: ['apiKey'] }, ['roles'], ['visits'], ['objects']],
} as const satisfies Readonly<
  Record<SectionName, readonly (readonly [string] | { readonly title: string; readonly keys: readonly string[] | 'REST' })[]>
>

type Entry = (typeof layout)[SectionName][number]
export type CardTitle = Extract<Entry, { readonly title: string }>['title'] | 'others'
/** `title`: null for a card that is called as its only field. */
export type FormCard = { readonly title: CardTitle | null; readonly fields: readonly Field[] }

export function cardsOf(section: SectionName, fields: readonly Field[]): readonly FormCard[] {
  const entries: readonly Entry[] = layout[section]
  const named = new Set(entries.flatMap(keysIn))
  const rest = fields.filter(({ key }) => !named.has(key))
  const cards = entries.map((entry): FormCard => {
    const own = keysIn(entry).flatMap((key) => fields.filter((field) => field.key === key))
    return { title: 'title' in entry ? entry.title : null, fields: takesRest(entry) ? rest : own }
  })
  const others: FormCard = { title: 'others', fields: entries.some(takesRest) ? [] : rest }
  return [...cards, others].filter((card) => card.fields.length > 0)
}

function takesRest(entry: Entry): boolean {
  return 'title' in entry && entry.keys === 'REST'
}

function keysIn(entry: Entry): readonly string[] {
  if ('title' in entry) return entry.keys === 'REST' ? [] : entry.keys
  return entry
}
