import type { Lead, ScreenPop } from '../../../phone/caller.ts'
import type { Call } from '../../../phone/calls.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { CallHead } from './call-head.tsx'
import { useDraft } from './draft.ts'
import { useFoundNotes } from './merged-notes.ts'
import { useNotesState } from './save-notes.tsx'
import { CallerPanel } from './caller-panel.tsx'
import { useScreenPop } from './screen-pop.ts'
import { useDeskTexts } from './texts.ts'
import { Outcome } from './outcome.tsx'
import './call.css'

/** A call: who it is, what can be done with it, and what the agent writes about it. */
export function CallView({ call }: { readonly call: Call }) {
  const { pop, isCurrent, error, read } = useScreenPop(call)
  const drafting = useDraft(call.ucid)
  useFoundNotes(call.ucid, drafting, isCurrent ? pop?.draftNotes : undefined)
  const notesState = useNotesState(call.ucid, drafting.draft)
  const lead = pop && leadOf(pop, drafting.draft.leadId)
  return (
    <div className="desk-call">
      <CallHead call={call} lead={lead} />
      <div className="desk-call-columns">
        <div className="desk-call-main">
          {pop ? (
            <>
              <Unavailable parts={pop.unavailable} />
              <CallerPanel call={call} pop={pop} lead={lead} onChoose={(leadId) => drafting.change({ leadId })} onChanged={read} />
            </>
          ) : error ? (
            <ErrorState error={error} onRetry={read} />
          ) : (
            <Skeleton rows={8} />
          )}
        </div>
        <Outcome key={call.ucid} call={call} leadId={lead?.id ?? null} drafting={drafting} notesState={notesState} />
      </div>
    </div>
  )
}

/** The lead that the agent chose among several, else the one that the service knows. */
function leadOf(pop: ScreenPop, chosen: string | null): Lead | null {
  return pop.candidates.find(({ id }) => id === chosen) ?? pop.lead
}

function Unavailable({ parts }: { readonly parts: ScreenPop['unavailable'] }) {
  const texts = useDeskTexts()
  if (parts.length === 0) return null
  return <Notice tone="warn" title={texts.unavailable(parts.map((part) => texts[part]).join(', '))} />
}
