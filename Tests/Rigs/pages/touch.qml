import QtQuick 2.15
import QtQuick.Window 2.15

// Takes touches, and shows nothing of them.
Window {
    visible: true
    width: 640
    height: 480
    color: "#6080a0"
    MultiPointTouchArea { anchors.fill: parent }
}
