import { useState } from 'react'
import { useQuery } from 'urql'
import { webhookAddress } from '../../../data/settings.ts'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { usePolling } from '../../../data/polling.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { newWebhookAddress, webhooksQuery } from './documents.ts'
import { providersIn } from '../telephony-providers.ts'
import { textOf, valuesOf } from '../configuration/form/values.ts'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { useSetupTexts } from './texts.ts'

const refreshMs = 5_000
const paths = ['provider', 'did', 'campaignName', 'sip.domain', 'sip.wsPort', 'sip.wsPath']

/** The provider, the number, browser phones, and the address that the provider reports to. */
export function TelephonyStep({ isReady, ...rest }: StepContentProps) {
  return (
    <SectionStep section="TELEPHONY" paths={paths} isReady={isReady} {...rest}>
      {(document, fields) => {
        const [first] = providersIn(fields)
        const provider = textOf(valuesOf(document['provider'])['id']) || first?.id
        return provider !== undefined && <WebhookAddress key={provider} provider={provider} />
      }}
    </SectionStep>
  )
}

function WebhookAddress({ provider }: { readonly provider: string }) {
  const texts = useSetupTexts()
  const { moment } = useFormats()
  const [{ data }, ask] = useQuery({ query: webhooksQuery, requestPolicy: 'cache-and-network' })
  const isSubscribed = data?.liveEvents.status === 'SUBSCRIBED'
  // The service subscribes the events a little after the save.
  usePolling(() => !isSubscribed && ask({ requestPolicy: 'network-only' }), refreshMs)
  const { run, isPending } = useAction(newWebhookAddress)
  const [path, setPath] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const known = data?.webhookKeys.find((key) => key.provider === provider)
  const make = async (): Promise<void> => {
    const made = await run({ provider })
    setAsking(false)
    if (made) setPath(made.rotateWebhookKey.path)
  }
  const hasOne = known !== undefined || path !== null
  return (
    <section className="setup-part" aria-label={texts.webhookTitle}>
      <h3>{texts.webhookTitle}</h3>
      <p className="ui-hint">{texts.webhookText}</p>
      {isSubscribed && <Notice tone="good">{texts.eventsWork}</Notice>}
      {data?.liveEvents.problem && (
        <Notice tone="warn">
          <p lang="en">{data.liveEvents.problem}</p>
        </Notice>
      )}
      {path === null ? (
        known && <p>{texts.webhookSince(moment(known.createdAt))}</p>
      ) : (
        <>
          <CopyField label={texts.webhookTitle} value={webhookAddress(path)} />
          <p className="ui-hint">{texts.webhookOnce}</p>
        </>
      )}
      <div className="ui-actions">
        <Button isPending={isPending} isDisabled={!data} onPress={() => (hasOne ? setAsking(true) : void make())}>
          {hasOne ? texts.webhookNew : texts.webhookMake}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.webhookSure}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action={texts.webhookNew}
        isPending={isPending}
        onConfirm={() => void make()}
      >
        <p>{texts.webhookSureText}</p>
      </ConfirmDialog>
    </section>
  )
}
