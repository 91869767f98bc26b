import { useState } from 'react'
import { problemOf } from '../data/problem.ts'
import { useProblemTexts } from '../data/problem-texts.ts'
import { beginAgentSession, useMember, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { showToast } from '../ui/toast.ts'
import { usePhoneTexts } from './phone-texts.ts'

/** The sign-in at the telephony provider failed: why, and who can correct it. Without it no call comes, whatever the agent chooses. */
export function ProviderNotice() {
  const texts = usePhoneTexts()
  const problems = useProblemTexts()
  const session = useSession()
  const member = useMember()
  const [isPending, setPending] = useState(false)
  const telephony = session.kind === 'SIGNED_IN' ? session.phone?.telephony : null
  if (!telephony || telephony.signedIn) return null
  const again = (): void => {
    setPending(true)
    void beginAgentSession(member)
      .catch((error: unknown) => {
        const { title, advice } = problemOf(error, problems)
        showToast({ tone: 'bad', title, text: advice })
      })
      .finally(() => setPending(false))
  }
  return (
    <div className="phone-message">
      <Notice
        tone="bad"
        role="alert"
        title={texts.noCalls}
        actions={
          <Button size="s" isPending={isPending} onPress={again}>
            {texts.retry}
          </Button>
        }
      >
        {telephony.reason !== null && <p lang="en">{telephony.reason}.</p>}
        <p>{texts.noCallsAdvice}</p>
      </Notice>
    </div>
  )
}
