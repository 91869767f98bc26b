import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { CallView } from './call/call-view.tsx'
import { useDeskCall } from './call/desk-call.ts'
import { useDeskTexts } from './call/texts.ts'
import { IdleDesk } from './idle/idle-desk.tsx'

/** The agent's call, or what there is to do until the next one. */
export function DeskScreen() {
  const texts = useDeskTexts()
  const { call, isKnown } = useDeskCall()
  return (
    <Page title={texts.title} isWide>
      {call ? <CallView key={call.ucid} call={call} /> : isKnown ? <IdleDesk /> : <Skeleton rows={6} />}
    </Page>
  )
}
