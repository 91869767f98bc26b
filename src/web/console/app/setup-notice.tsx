import { Link } from '@tanstack/react-router'
import { closeSetupNotice, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useShellTexts } from './shell-texts.ts'

/** On the first screen of a manager who signs in to a workspace that is not set up, until it is, or the person closes it. */
export function SetupNotice() {
  const texts = useShellTexts()
  const session = useSession()
  if (session.kind !== 'SIGNED_IN' || session.isSetupOpen !== true) return null
  return (
    <div className="shell-notice">
      <Notice
        title={texts.setupOpen}
        actions={
          <>
            <Link to="/administration/setup" className="ui-button ui-button-plain ui-button-s">
              {texts.setupGoOn}
            </Link>
            <Button size="s" look="quiet" onPress={closeSetupNotice}>
              {texts.setupLater}
            </Button>
          </>
        }
      >
        <p>{texts.setupOpenText}</p>
      </Notice>
    </div>
  )
}
