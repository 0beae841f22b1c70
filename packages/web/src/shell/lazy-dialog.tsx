import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useDashboard } from "../state/context.ts";

interface DialogProps {
  readonly onClose: () => void;
}

/** A dialog whose code is loaded when it is first opened. */
export function LazyDialog<P extends DialogProps>({
  load,
  props,
}: {
  readonly load: () => Promise<(props: P) => JSX.Element>;
  readonly props: P;
}) {
  const { notify } = useDashboard();
  const [Loaded, setLoaded] = useState<ComponentType<P>>();
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => {
        notify("This could not be loaded. Is the server still running?");
        props.onClose();
      },
    );
  }, []);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
