import type { CallBack } from '../call-back/call-back.ts'

/** What the agent enters about one call. `receipt`: the outcome that the service has. */
export type Draft = {
  readonly notes: string
  /** The notes that the service has, as far as this browser knows. */
  readonly savedNotes: string
  /** The choice that the service has, as `choiceOf` writes it. */
  readonly savedChoice: string
  /** When the service saved them: what it has from an earlier time is older than what this browser has. */
  readonly savedAt: string
  /** What was sent last: the service may have it, also if its answer did not come. */
  readonly sentNotes: string | null
  readonly disposition: string | null
  readonly callBack: CallBack
  /** The lead that the agent chose among several. */
  readonly leadId: string | null
  readonly receipt: Receipt | null
}
/** `callBackAt`: ISO 8601. `isAutomatic`: the desk sent it because the wrap-up ended, and the agent has not looked at it since. */
export type Receipt = Pick<Draft, 'notes' | 'leadId'> &
  Readonly<Record<'disposition' | 'eventId' | 'outcome', string>> & { readonly callBackAt: string | null; readonly isAutomatic?: boolean }

const noChoice = JSON.stringify([null, null])
export const emptyDraft: Draft = {
  notes: '',
  savedNotes: '',
  savedChoice: noChoice,
  savedAt: '',
  sentNotes: null,
  disposition: null,
  callBack: { kind: 'NONE' },
  leadId: null,
  receipt: null,
}

/** What a tab learns from the service. The rest is what the agent enters, and no tab writes it for another reason: it could undo a key press. */
const learned: ReadonlySet<string> = new Set<keyof Draft>(['savedNotes', 'savedChoice', 'savedAt', 'sentNotes'])

/** The two parts of a draft, each stored by itself. */
export function partsOf(draft: Draft): Readonly<Record<'entered' | 'learned', string>> {
  const some = (isLearned: boolean): string =>
    JSON.stringify(Object.fromEntries(Object.entries(draft).filter(([name]) => learned.has(name) === isLearned)))
  return { entered: some(false), learned: some(true) }
}
