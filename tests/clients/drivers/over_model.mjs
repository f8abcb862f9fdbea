// A session over a program that only a model uses: each step is a run of the program with a scripted model.
import { ScriptedModel } from './scripted_model.mjs';

/** `run(model)` runs the program once with the model at `model.url`, and resolves to its output. */
export async function overModel(run) {
  const model = await ScriptedModel.start();
  const play = (call) => model.play(() => run(model), call);
  await play();
  if (model.tools.length === 0) throw new Error('the model was shown no tools');
  return {
    list: async () => {
      await play();
      return model.tools;
    },
    call: (name, args) => play({ name, args }),
    close: async () => model.stop(),
  };
}
