import { useState } from 'react'
import { webhookAddress } from '../../../data/settings.ts'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Card, Section } from '../../../ui/page.tsx'
import type { Provider, TelephonyProviders } from '../telephony-providers.ts'
import { rotateAddress, type Status } from './log.ts'
import { useWebhookTexts } from './texts.ts'
import '../rows.css'
import './webhooks.css'

type AddressesProps = Pick<TelephonyProviders, 'providers'> & {
  readonly keys: Status['webhookKeys']
  readonly onChanged: () => void
}

/** Where each provider sends its webhooks. */
export function Addresses({ providers, keys, onChanged }: AddressesProps) {
  const texts = useWebhookTexts()
  const { moment } = useFormats()
  const [rotated, setRotated] = useState<Provider | null>(null)
  return (
    <Section title={texts.addresses}>
      <p className="admin-minor">{texts.addressesText}</p>
      <Card isFlush>
        <ul className="admin-addresses">
          {providers.map((provider) => {
            const key = keys.find((one) => one.provider === provider.id)
            return (
              <li key={provider.id}>
                <div className="admin-stack">
                  <span className="admin-strong">{provider.name}</span>
                  <span className="admin-minor">{key ? texts.madeAt(moment(key.createdAt)) : texts.noAddress}</span>
                </div>
                <Button size="s" onPress={() => setRotated(provider)} aria-label={`${texts.newAddress}: ${provider.name}`}>
                  {texts.newAddress}
                </Button>
              </li>
            )
          })}
        </ul>
      </Card>
      {rotated && (
        <Rotate
          provider={rotated}
          isFirst={!keys.some(({ provider }) => provider === rotated.id)}
          onChanged={onChanged}
          onClose={() => setRotated(null)}
        />
      )}
    </Section>
  )
}

type RotateProps = { readonly provider: Provider; readonly isFirst: boolean; readonly onChanged: () => void; readonly onClose: () => void }

/** Asks, then shows the address. */
function Rotate({ provider, isFirst, onChanged, onClose }: RotateProps) {
  const texts = useWebhookTexts()
  const { moment } = useFormats()
  const { run, isPending } = useAction(rotateAddress)
  const [made, setMade] = useState<{ readonly path: string; readonly formerValidUntil: string | null } | null>(null)
  const make = async (): Promise<void> => {
    const answer = await run({ provider: provider.id })
    if (!answer) return
    setMade(answer.rotateWebhookKey)
    onChanged()
  }
  const action = made ? (
    <Button onPress={onClose}>{texts.done}</Button>
  ) : (
    <Button look="primary" isPending={isPending} onPress={() => void make()}>
      {texts.make}
    </Button>
  )
  const { name } = provider
  return (
    <Dialog title={made ? texts.madeTitle(name) : texts.rotateTitle(name)} isOpen onClose={onClose} actions={action}>
      {made ? (
        <>
          <p>{texts.madeText}</p>
          <CopyField label={texts.address} value={webhookAddress(made.path)} />
          {made.formerValidUntil !== null && <p className="admin-minor">{texts.formerUntil(moment(made.formerValidUntil))}</p>}
        </>
      ) : (
        <p>{isFirst ? texts.addressesText : texts.rotateText}</p>
      )}
    </Dialog>
  )
}
