import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../data/graphql.ts'
import { consoleSettings } from '../data/settings.ts'
import { useMember } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useShellTexts } from './shell-texts.ts'

const passwordQuery = graphql(`
  query OwnPassword {
    me {
      id
      hasTemporaryPassword
    }
  }
`)

/** Above the screens of a member whose password a manager can read: the CRM changes it, by a link that it sends. */
export function TemporaryPasswordNotice() {
  const texts = useShellTexts()
  const { workspace } = useMember()
  const [isClosed, setClosed] = useState(false)
  const [{ data }] = useQuery({ query: passwordQuery })
  if (isClosed || data?.me.hasTemporaryPassword !== true) return null
  const crm = consoleSettings.workspaceUrl.replace('{workspace}', workspace.subdomain)
  return (
    <div className="shell-notice">
      <Notice
        tone="warn"
        title={texts.passwordTitle}
        actions={
          <>
            {crm !== '' && (
              <a className="ui-button ui-button-plain ui-button-s" href={`${crm}/settings/profile`} target="_blank" rel="noreferrer">
                <ExternalLink aria-hidden="true" />
                {texts.passwordChange}
              </a>
            )}
            <Button size="s" look="quiet" onPress={() => setClosed(true)}>
              {texts.setupLater}
            </Button>
          </>
        }
      >
        <p>{texts.passwordText}</p>
      </Notice>
    </div>
  )
}
