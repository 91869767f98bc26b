import type { SectionName } from '../sections.ts'
import type { Field } from './schema.ts'

/**
 * How the fields of each section are grouped, and in which order. A card of one object, provider or list has its name; the others have a title
 * of `section-texts.ts`. Fields that are in no card come last, so that a new one is never missing.
 */
const layout = {
  TELEPHONY: [
    ['provider'],
    { title: 'numbers', keys: ['did', 'campaignName', 'defaultCountry'] },
    { title: 'agentsWork', keys: ['dispositions', 'notReadyReasons', 'claimMinutes', 'serviceLevelSeconds'] },
    ['sip'],
    ['newLeads'],
    { title: 'defaultAgent', keys: ['defaultAgentId', 'defaultAgentPassword', 'sipId'] },
    ['outbound'],
  ],
  AI: [{ title: 'languageModel', keys: ['provider', 'model', 'temperature', 'systemPromptAddendum'] }, ['recordings']],
  ALERTS: [
    {
      title: 'thresholds',
      keys: [
        'waitingMissedCalls',
        'longestWaitMinutes',
        'wrapUpMinutes',
        'noAgentReadyMinutes',
        'providerFailingMinutes',
        'webhooksSilentMinutes',
      ],
    },
    ['openHours'],
    ['webhook'],
  ],
  WIDGET: [
    { title: 'onThePage', keys: ['enabled', 'greeting', 'placeholder', 'position'] },
    { title: 'booking', keys: ['bookingEnabled', 'heldPercent', 'heldPercentPerAddress', 'bookedPercent', 'bookedPercentPerAddress'] },
    { title: 'budget', keys: ['dailyTokenBudget'] },
  ],
  THEME: [['brand'], ['colors'], ['fonts']],
  PLATFORM: [{ title: 'access', keys: ['apiKey'] }, ['roles'], ['visits'], ['objects']],
} as const satisfies Readonly<
  Record<SectionName, readonly (readonly [string] | { readonly title: string; readonly keys: readonly string[] })[]>
>

type Entry = (typeof layout)[SectionName][number]
export type CardTitle = Extract<Entry, { readonly title: string }>['title'] | 'others'
/** `title`: null for a card that is called as its only field. */
export type FormCard = { readonly title: CardTitle | null; readonly fields: readonly Field[] }

export function cardsOf(section: SectionName, fields: readonly Field[]): readonly FormCard[] {
  const pick = (keys: readonly string[]): readonly Field[] => keys.flatMap((key) => fields.filter((field) => field.key === key))
  const entries: readonly Entry[] = layout[section]
  const cards = entries.map((entry): FormCard =>
    'title' in entry ? { title: entry.title, fields: pick(entry.keys) } : { title: null, fields: pick(entry) },
  )
  const placed = new Set(cards.flatMap((card) => card.fields))
  return [...cards, { title: 'others' as const, fields: fields.filter((field) => !placed.has(field)) }].filter(
    (card) => card.fields.length > 0,
  )
}
