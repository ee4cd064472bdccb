// TouchStage
